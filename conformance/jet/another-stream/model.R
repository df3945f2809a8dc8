action <- function(x) emit(x / 2)
