react <- function(x) emit(x)
