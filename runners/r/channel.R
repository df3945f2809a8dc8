# The way to the host and back: messages as lists come in, messages as raw bytes go out.
#
# R opens files, and pipes to commands, but no descriptors, and 3 and 4 are sockets that have no path. So the command
# that starts R puts a copy of 4 where standard input is, which R does open, for writing too; and `cat` hands on what
# comes in on 3. When the host closes 3 `cat` ends, and R with it; when R ends first the host closes 3.

.HELLO <- 1L
.LOADED <- 2L
.FAILED <- 3L
.ATTACHED <- 4L
.SCORED <- 5L
.PROGRESS <- 6L
.ASK <- 7L
.STATE <- 8L

.hostKinds <- c("load", "attach", "begin", "score", "end", "answer", "snapshot", "stop")
.MAXIMUM_MESSAGE <- 256 * 2^20
.MUCH <- 2^20
.GARBAGE <- 70L

.pid <- Sys.getpid()
.from_host <- NULL
.to_host <- NULL
.nothing <- NULL
# Messages that came while an answer was waited for.
.waiting <- list()
# When something was last sent, in seconds.
.spoke <- 0

open_channel <- function() {
  .from_host <<- pipe("exec cat <&3 3<&- 4>&- 2>/dev/null", "rb")
  .to_host <<- file("stdin", "wb")
  # Processes that the model starts get an empty standard input. The lowest free number is given out first, so that the
  # file below becomes descriptor 0.
  close <- getNamespace("parallel")$closeFD
  if (!is.null(close)) {
    close(c(0L, 3L, 4L))
    .nothing <<- file("/dev/null", "rb")
  }
}

# What a model gets as closeAllConnections: R's own would close the channel too.
close_others <- function() {
  while (sink.number() > 0L) sink()
  own <- unlist(lapply(list(.from_host, .to_host, .nothing), as.integer))
  for (connection in setdiff(getAllConnections(), c(0:2, own))) close(getConnection(connection))
  invisible()
}

# A copy of this process that the model has made is no jet: it ends before it says or hears anything.
end_copies <- function() if (Sys.getpid() != .pid) getNamespace("parallel")$mcexit(0L)

leave <- function(status) quit(save = "no", status = status, runLast = FALSE)

# The next message: `kind` and, by kind, `body` (of JSON), `batch` (four raw bytes) or what `read_score` gives.
receive <- function() {
  if (length(.waiting) == 0L) return(read_message())
  message <- .waiting[[1L]]
  .waiting[[1L]] <<- NULL
  message
}

# The answer to what was asked; whatever else comes is kept for later.
receive_answer <- function() {
  repeat {
    message <- read_message()
    if (message$kind == "answer") return(message$body)
    .waiting[[length(.waiting) + 1L]] <<- message
  }
}

read_message <- function() {
  end_copies()
  size <- readBin(.from_host, "integer", 1L, endian = "little")
  if (length(size) == 0L) leave(0L)
  kind <- as.integer(read_raw(1L))
  if (is.na(size) || size < 1L || size > .MAXIMUM_MESSAGE || kind < 1L || kind > length(.hostKinds)) leave(.GARBAGE)
  kind <- .hostKinds[[kind]]
  switch(kind,
    load = ,
    attach = ,
    answer = list(kind = kind, body = read_json(size - 1L)),
    begin = ,
    end = list(kind = kind, batch = read_raw(4L)),
    score = read_score(size - 1L),
    list(kind = kind)
  )
}

read_json <- function(size) {
  bytes <- read_raw(size)
  tryCatch(parse_json(rawToChar(bytes)), error = function(error) leave(.GARBAGE))
}

read_score <- function(size) {
  numbers <- readBin(.from_host, "integer", 6L, endian = "little")
  if (length(numbers) < 6L) leave(.GARBAGE)
  count <- numbers[[3L]]
  extra <- numbers[[4L]]
  # The bounds are all zero in this form, and what is extra does not concern it.
  read_raw(8L * count + extra)
  list(
    kind = "score",
    batch = pack(numbers[[1L]]),
    slot = bitwAnd(numbers[[2L]], 0xFFFFL),
    isRecordset = bitwAnd(bitwShiftR(numbers[[2L]], 16L), 1L) == 1,
    count = count,
    first = numbers[[5L]] %% 2^32 + numbers[[6L]] * 2^32,
    bytes = read_raw(size - 24L - 8L * count - extra)
  )
}

read_raw <- function(size) {
  if (is.na(size) || size < 0L) leave(.GARBAGE)
  bytes <- readBin(.from_host, "raw", size)
  if (length(bytes) < size) leave(.GARBAGE)
  bytes
}

# Whole numbers as four bytes each.
pack <- function(numbers) writeBin(as.integer(numbers), raw(), endian = "little")

send <- function(kind, ...) {
  end_copies()
  pieces <- list(...)
  size <- 1 + sum(lengths(pieces))
  if (size > .MAXIMUM_MESSAGE) {
    message("An answer of ", size, " bytes is longer than a message may be: emit less at a time")
    leave(.GARBAGE)
  }
  head <- c(pack(size), as.raw(kind))
  # Each write costs more than a copy, unless there is much to copy.
  if (size < .MUCH) writeBin(c(head, ...), .to_host)
  else for (piece in c(list(head), pieces)) if (length(piece) > 0L) writeBin(piece, .to_host)
  flush(.to_host)
  .spoke <<- .Internal(Sys.time())
}

send_json <- function(kind, value) send(kind, charToRaw(write_json(value)))
