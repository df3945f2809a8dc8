# A small model: a weighted sum of some fields.
action <- function(x) emit(list(id = x$id, score = 0.5 * x$a + 0.25 * x$b - x$c))
