action <- function(x) {
  cat("seen", x, "\n")
  emit(x)
}
