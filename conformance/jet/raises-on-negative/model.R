action <- function(x) {
  # What is emitted before it stops is dropped with the record.
  emit(x)
  if (x < 0) stop("negative")
}
