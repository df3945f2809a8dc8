# The conversation with the host, from hello to the end: messages go in one after the other, each is answered in turn.

converse <- function() {
  options(keep.source = TRUE, warn = 1L)
  open_channel()
  attach(
    list(
      emit = emit_too_early, Cell = Cell, Pool = Pool, Get = Get, Set = Set, Update = Update,
      closeAllConnections = close_others, system = system_apart, system2 = system2_apart, pipe = pipe_apart
    ),
    name = "pitot", warn.conflicts = FALSE
  )
  version <- paste(R.version$major, R.version$minor, sep = ".")
  send_json(.HELLO, list(protocol = 1L, runner = "r", version = version, pid = Sys.getpid(), form = "r"))
  repeat {
    message <- receive()
    switch(message$kind,
      load = take_model(message$body),
      attach = send(.ATTACHED),
      begin = run_once(message$batch, .model$begin),
      score = score(message),
      end = run_once(message$batch, .model$end),
      snapshot = send_json(.STATE, list(cells = .none, pools = .none)),
      stop = leave(0L),
      leave(.GARBAGE)
    )
  }
}

.none <- structure(list(), names = character())

take_model <- function(load) {
  tryCatch(
    {
      .model <<- load_model(load)
      use_emit()
      send_json(.LOADED, list(slots = load$slots, snapshots = .model$snapshots, warnings = list()))
    },
    error = function(error) {
      trace <- if (!is.null(error$trace)) list(trace = error$trace)
      send_json(.FAILED, c(list(sentence = conditionMessage(error)), trace))
    }
  )
}

# Most models have one output of records: they get the faster emit.
use_emit <- function() {
  .isPlain <<- identical(.outputs, 1L) && length(.setOutputs) == 0L
  .emit <<- if (.isPlain) emit_plainly else emit
  assign("emit", .emit, as.environment("pitot"))
}

.emit <- emit
