# JSON of control messages: text goes in and lists come out, and the other way round. Objects are lists with names,
# arrays are lists without, scalars are vectors of length one. Records never travel this way.

.token <- paste(
  '"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"',
  "-?[0-9][0-9.eE+-]*+",
  "true", "false", "null", "[][{},:]",
  sep = "|"
)

parse_json <- function(text) {
  tokens <- regmatches(text, gregexpr(.token, text, perl = TRUE, useBytes = TRUE))[[1L]]
  Encoding(tokens) <- "UTF-8"
  at <- 0L
  following <- function() {
    at <<- at + 1L
    if (at > length(tokens)) stop("the JSON of a message ends too early")
    tokens[[at]]
  }
  value <- function(token = following()) {
    switch(substr(token, 1L, 1L),
      "{" = object(),
      "[" = array(),
      "\"" = unquote(token),
      t = TRUE,
      f = FALSE,
      n = NULL,
      number(token)
    )
  }
  object <- function() {
    names <- character()
    values <- list()
    token <- following()
    while (token != "}") {
      if (token == ",") token <- following()
      names[[length(names) + 1L]] <- unquote(token)
      if (following() != ":") stop("a colon is missing in the JSON of a message")
      values[length(names)] <- list(value())
      token <- following()
    }
    names(values) <- names
    values
  }
  array <- function() {
    values <- list()
    token <- following()
    while (token != "]") {
      if (token == ",") token <- following()
      values[length(values) + 1L] <- list(value(token))
      token <- following()
    }
    values
  }
  value()
}

# A number with more digits than a double has stays text, so that schemas go back as they came.
number <- function(token) {
  if (nchar(token) <= 15L) as.numeric(token) else structure(token, class = "exact")
}

unquote <- function(token) {
  text <- substr(token, 2L, nchar(token) - 1L)
  if (!grepl("\\", text, fixed = TRUE)) return(text)
  pieces <- regmatches(text, gregexpr("(?:\\\\u[0-9a-fA-F]{4})+|\\\\.|[^\\\\]+", text, perl = TRUE))[[1L]]
  isEscape <- startsWith(pieces, "\\")
  pieces[isEscape] <- vapply(pieces[isEscape], unescape, "")
  paste(pieces, collapse = "")
}

unescape <- function(piece) {
  if (!startsWith(piece, "\\u")) {
    return(switch(substr(piece, 2L, 2L), n = "\n", t = "\t", r = "\r", b = "\b", f = "\f", substr(piece, 2L, 2L)))
  }
  units <- strtoi(strsplit(substring(piece, 3L), "\\u", fixed = TRUE)[[1L]], 16L)
  # What R's text cannot hold is left out; the two halves of a character beyond U+FFFF are put together.
  high <- which(units >= 0xD800L & units < 0xDC00L)
  high <- high[high < length(units)]
  units[high] <- 0x10000L + (units[high] - 0xD800L) * 0x400L + (units[high + 1L] - 0xDC00L)
  if (length(high) > 0L) units <- units[-(high + 1L)]
  intToUtf8(units[units != 0L & (units < 0xD800L | units > 0xDFFFL)])
}

write_json <- function(value) {
  if (is.null(value)) return("null")
  if (inherits(value, "exact")) return(unclass(value))
  if (is.list(value)) {
    members <- vapply(value, write_json, "")
    if (is.null(names(value))) return(paste0("[", paste(members, collapse = ","), "]"))
    return(paste0("{", paste(quote_json(names(value)), members, sep = ":", collapse = ","), "}"))
  }
  if (is.character(value)) return(quote_json(value))
  if (is.logical(value)) return(if (value) "true" else "false")
  if (is.integer(value)) sprintf("%d", value) else sprintf("%.17g", value)
}

quote_json <- function(texts) {
  if (length(texts) == 0L) return(character())
  texts <- enc2utf8(texts)
  wrong <- !validUTF8(texts)
  texts[wrong] <- iconv(texts[wrong], "UTF-8", "UTF-8", sub = "?")
  texts <- gsub("\\", "\\\\", texts, fixed = TRUE)
  texts <- gsub("\"", "\\\"", texts, fixed = TRUE)
  texts <- gsub("\n", "\\n", texts, fixed = TRUE)
  for (special in which(grepl("[\001-\037]", texts, perl = TRUE))) {
    units <- utf8ToInt(texts[[special]])
    letters <- intToUtf8(units, multiple = TRUE)
    letters[units < 32L] <- sprintf("\\u%04x", units[units < 32L])
    texts[[special]] <- paste(letters, collapse = "")
  }
  paste0("\"", texts, "\"")
}
