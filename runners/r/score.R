# Records go through the model: a batch goes in, `scored` goes out.

# Seconds between signs of life while a batch is worked on.
.PATIENCE <- 0.1

# How many records are scored before the functions that every record passes are compiled. R does so by itself only for
# larger functions; it takes as long as a few thousand records, which short jobs need not pay for.
.UNTIL_COMPILED <- 5000L
.HOT <- c("emit", "emit_plainly", "add_emission", "score_each", "guarded", "outputting", "calling")

.model <- NULL
.scored <- 0L
.rejects <- list()

score <- function(message) {
  started <- .Internal(Sys.time())
  records <- unserialize(message$bytes)
  message$frames <- attr(records, "frames")
  attr(records, "frames") <- NULL
  decoded <- .Internal(Sys.time())
  action <- .model$actions[[as.character(message$slot)]]
  if (is.null(action)) action <- refusing(message$slot)
  if (message$isRecordset) score_set(records, action, message)
  else score_each(if (action$takesSets) lapply(records, as_set_of_one) else records, action, message)
  answer(message$batch, length(records), decoded - started, .Internal(Sys.time()) - decoded)
  if (.scored < .UNTIL_COMPILED) {
    .scored <<- .scored + length(records)
    if (.scored >= .UNTIL_COMPILED) compile_hot()
  }
}

compile_hot <- function() {
  runner <- environment(compile_hot)
  for (name in .HOT) assign(name, compiler::cmpfun(get(name, runner)), runner)
  use_emit()
}

# One guard for many records, since putting it up costs more than a record. After one that failed it is put up again.
score_each <- function(records, action, message) {
  call <- calling(action, message)
  total <- length(records)
  done <- 0L
  while (done < total) {
    .frame <<- done
    before <- .count
    guarded(
      for (at in (done + 1L):total) {
        .frame <<- at - 1L
        before <- .count
        call(records[[at]])
        if (.Internal(Sys.time()) - .spoke > .PATIENCE) send(.PROGRESS, message$batch, pack(at))
      },
      function() drop_emissions(before)
    )
    done <- .frame + 1L
  }
}

# Everything that comes of a set has the index of its last record. A set fails as a whole: all its records are rejected.
score_set <- function(records, action, message) {
  .frame <<- max(length(records), 1L) - 1L
  call <- calling(action, message)
  guarded(call(as_record_set(records)), function() {
    drop_emissions(0L)
    report <- .rejects[[length(.rejects)]]
    .rejects[[length(.rejects)]] <<- NULL
    for (index in seq_len(.frame + 1L)) {
      report$index <- index - 1
      .rejects[[length(.rejects) + 1L]] <<- report
    }
  })
}

run_once <- function(batch, action) {
  started <- .Internal(Sys.time())
  .frame <<- -1L
  if (!is.null(action)) guarded(outputting(action)(), function() drop_emissions(0L))
  answer(batch, 0L, 0, .Internal(Sys.time()) - started)
}

refusing <- function(slot) {
  refuse <- function(datum) stop("the model has no function for records of slot ", slot, call. = FALSE)
  list(call = refuse, arity = 1L, takesSets = FALSE)
}

# Runs it; an error becomes a reject of the frame at hand, and then `afterwards` is called.
guarded <- function(expression, afterwards) {
  lines <- character()
  tryCatch(
    withCallingHandlers(expression, error = function(error) lines <<- trace_lines(sys.calls())),
    error = function(error) {
      index <- if (.frame < 0L) 4294967295 else .frame
      .rejects[[length(.rejects) + 1L]] <<- c(list(index = index, step = "model"), error_report(error, lines))
      afterwards()
    }
  )
}

# The model's function for one record, as one of one argument.
calling <- function(action, message) {
  call <- action$call
  slot <- message$slot
  if (action$arity == 2L) call <- function(datum) action$call(datum, slot)
  if (action$arity == 3L) {
    numbers <- message$first + (if (is.null(message$frames)) seq_len(message$count) - 1L else message$frames)
    # A set has the number of its first record.
    if (message$isRecordset) numbers[] <- message$first
    call <- function(datum) action$call(datum, slot, numbers[[.frame + 1L]])
  }
  outputting(call)
}

outputting <- function(call) {
  if (.model$emits) return(call)
  function(...) {
    before <- .count
    result <- withVisible(call(...))
    # It may call emit by roundabout ways.
    if (result$visible && !is.null(result$value) && .count == before) .emit(result$value)
  }
}

answer <- function(batch, consumed, decoding, working) {
  started <- .Internal(Sys.time())
  count <- .count
  bytes <- if (count > 0L) serialised_emissions()
  rejects <- if (length(.rejects) > 0L) charToRaw(write_json(.rejects))
  seconds <- c(decoding, 0, working, 0, .Internal(Sys.time()) - started)
  # In the layout the seconds stand between the counts and the indexes.
  numbers <- pack(c(consumed, count, length(rejects), .indexes[seq_len(count)]))
  send(
    .SCORED,
    batch, numbers[1:12], writeBin(seconds, raw(), endian = "little"), numbers[-(1:12)],
    raw(8L * count), emission_slots(), raw(2L * (count %% 2L)),
    bytes, rejects
  )
  .rejects <<- list()
  clear_emissions()
}
