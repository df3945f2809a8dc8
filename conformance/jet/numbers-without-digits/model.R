action <- function(x) {
  huge <- x * 1e308 * 10
  emit(list(up = huge, down = list(-huge), none = huge - huge, text = "NaN"))
}
