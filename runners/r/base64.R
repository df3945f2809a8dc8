# Base64: raw bytes go in and text comes out, and the other way round. Three bytes are a column, so are four letters.

.letters64 <- c(LETTERS, letters, 0:9, "+", "/")

to_base64 <- function(bytes) {
  missing <- -length(bytes) %% 3L
  if (length(bytes) == 0L) return("")
  triples <- matrix(as.integer(c(bytes, raw(missing))), 3L)
  whole <- triples[1L, ] * 65536L + triples[2L, ] * 256L + triples[3L, ]
  letters <- .letters64[rbind(whole %/% 262144L, whole %/% 4096L %% 64L, whole %/% 64L %% 64L, whole %% 64L) + 1L]
  if (missing > 0L) letters[length(letters) - seq_len(missing) + 1L] <- "="
  paste(letters, collapse = "")
}

from_base64 <- function(text) {
  if (text == "") return(raw())
  letters <- strsplit(text, "", fixed = TRUE)[[1L]]
  missing <- sum(letters == "=")
  sixes <- matrix(match(letters, .letters64, nomatch = 1L) - 1L, 4L)
  whole <- sixes[1L, ] * 262144L + sixes[2L, ] * 4096L + sixes[3L, ] * 64L + sixes[4L, ]
  bytes <- as.raw(rbind(whole %/% 65536L, whole %/% 256L %% 256L, whole %% 256L))
  bytes[seq_len(length(bytes) - missing)]
}
