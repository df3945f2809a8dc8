action <- function(x) {
  for (i in seq_len(x)) emit("\u00e9")
}
