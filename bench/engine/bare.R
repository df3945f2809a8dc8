# What a user would write instead of an engine: reads a file again and again, scores each line and writes it.
#   Rscript bare.R model.R input output
# Prints the number of records written so far, about a hundred times a second.
library(jsonlite)
arguments <- commandArgs(trailingOnly = TRUE)
out <- file(arguments[3], "w")
emit <- function(x) cat(toJSON(x, auto_unbox = TRUE, digits = NA), "\n", file = out, sep = "")
source(arguments[1])

records <- 0
told <- proc.time()[["elapsed"]]
repeat {
  lines <- file(arguments[2], "r")
  while (length(batch <- readLines(lines, n = 1000)) > 0) {
    for (line in batch) {
      action(fromJSON(line))
      records <- records + 1
      if (records %% 10 == 0 && proc.time()[["elapsed"]] - told > 0.01) {
        told <- proc.time()[["elapsed"]]
        cat(records, "\n", sep = "")
      }
    }
  }
  close(lines)
}
