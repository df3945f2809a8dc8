begin <- function() {
  emit(1)
  stop("no weights")
}

action <- function(x) emit(x)
