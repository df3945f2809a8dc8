library(nowhereToBeFound)

action <- function(x) emit(x)
