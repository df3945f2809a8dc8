action <- function(x) emit(if (is.character(x)) nchar(x) else -length(x))
