action <- function(given) emit(data.frame(sum = given$x + given$y))
