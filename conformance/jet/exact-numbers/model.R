action <- function(x) emit(x)
