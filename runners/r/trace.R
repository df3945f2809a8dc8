# Where in the model's files something went wrong: the calls that were under way go in, lines of text come out,
# innermost first.

trace_lines <- function(calls) {
  # A recursion without end has thousands of them.
  lines <- vapply(utils::head(rev(calls), 200L), function(call) source_line(attr(call, "srcref")), "")
  lines <- lines[nzchar(lines)]
  # One expression of the model often is several calls of the same line.
  utils::head(lines[c(TRUE, lines[-1L] != lines[-length(lines)])[seq_along(lines)]], 20L)
}

source_line <- function(reference) {
  if (is.null(reference)) return("")
  file <- attr(reference, "srcfile")
  if (is.null(file$filename) || !nzchar(file$filename)) return("")
  line <- reference[[1L]]
  text <- tryCatch(trimws(getSrcLines(file, line, line)), error = function(trouble) "")
  sprintf("%s:%d: %s", basename(file$filename), line, text)
}

# What is told about an error: its sentence, and the lines of the model that led to it.
error_report <- function(error, lines) {
  reason <- trimws(conditionMessage(error))
  if (!nzchar(reason)) reason <- paste("an error of class", class(error)[[1L]])
  first <- paste0("Error", called(conditionCall(error)), ": ", reason)
  list(reason = reason, trace = paste(c(first, if (length(lines) > 0L) paste0("  at ", lines)), collapse = "\n"))
}

# The call that failed, unless it is the runner's call of the model.
called <- function(call) {
  if (!is.call(call) || !is.symbol(call[[1L]]) || identical(call[[1L]], quote(call))) return("")
  text <- deparse(call, nlines = 1L)[[1L]]
  paste0(" in ", if (nchar(text) > 100L) paste0(substr(text, 1L, 99L), "\u2026") else text)
}
