action <- function(x) emit(x * x)
