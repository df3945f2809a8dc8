count <- 0
total <- 0

begin <- function() {
  for (x in 1:3) emit(-x)
}

action <- function(x) {
  count <<- count + 1
  total <<- total + x
  emit(count)
}

end <- function() {
  emit(count)
  emit(total)
}
