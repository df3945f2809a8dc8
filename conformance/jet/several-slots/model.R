action <- function(x) {
  emit("seen", 3)
  emit(-x)
}

other <- function(text, slot, number) {
  emit(sprintf("%s %d %d", text, as.integer(slot), as.integer(number)), 3)
}
