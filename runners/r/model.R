# A model: what `load` says goes in; the functions it has, and how they want to be called, come out.

# Stops with the sentence that goes to the user.
load_model <- function(load) {
  lines <- source_lines(load$file)
  run_model(parse_model(load$file, lines))
  outputs <- Filter(function(slot) slot$slot %% 2 == 1, load$slots)
  .outputs <<- as.integer(vapply(outputs, function(slot) slot$slot, 0))
  .setOutputs <<- as.integer(vapply(Filter(function(slot) slot$recordsets, outputs), function(slot) slot$slot, 0))
  if (length(.outputs) == 0L) .outputs <<- 1L
  actions <- list()
  for (slot in load$slots) {
    if (slot$slot %% 2 == 0 && !is.null(slot$action)) actions[[as.character(slot$slot)]] <- action_for(slot, load$file)
  }
  list(
    actions = actions,
    begin = optional_function("begin"),
    end = optional_function("end"),
    emits = names_emit(),
    snapshots = snapshots_of(lines)
  )
}

# Editors of other systems put a mark before the text.
source_lines <- function(file) sub("^\ufeff", "", readLines(file, warn = FALSE, encoding = "UTF-8"))

parse_model <- function(file, lines) {
  tryCatch(
    parse(text = lines, keep.source = TRUE, encoding = "UTF-8", srcfile = srcfilecopy(file, lines)),
    # R says the place and shows the lines: "model.R:3:7: unexpected symbol".
    error = function(error) {
      whole <- conditionMessage(error)
      stop_loading(paste0("the model is not R: ", sub("\n.*", "", whole)), whole)
    }
  )
}

run_model <- function(expressions) {
  places <- attr(expressions, "srcref")
  for (at in seq_along(expressions)) {
    lines <- character()
    tryCatch(
      withCallingHandlers(
        eval(expressions[[at]], globalenv()),
        error = function(error) lines <<- trace_lines(sys.calls())
      ),
      error = function(error) {
        place <- source_line(places[[at]])
        report <- error_report(error, unique(c(lines, place)))
        stop_loading(paste0(sub(": .*", "", place), ": ", report$reason), report$trace)
      }
    )
  }
}

action_for <- function(slot, file) {
  name <- slot$action
  action <- optional_function(name)
  if (is.null(action)) {
    stop_loading(sprintf(
      "%s has no function %s for slot %d: define %s <- function(datum) { \u2026 emit(x) }",
      file, name, as.integer(slot$slot), name
    ))
  }
  arity <- arity_of(action)
  if (arity < 1L || arity > 3L) {
    stop_loading(sprintf(
      "%s takes %d arguments: it should take the datum, maybe the slot, and maybe the number of the record",
      name, arity
    ))
  }
  list(call = action, arity = arity, takesSets = slot$recordsets)
}

optional_function <- function(name) {
  get0(name, globalenv(), mode = "function", inherits = FALSE)
}

# Arguments with defaults are the model's own affair.
arity_of <- function(action) {
  arguments <- formals(args(action))
  isRequired <- function(default) is.symbol(default) && !nzchar(default)
  required <- vapply(arguments, isRequired, NA) & names(arguments) != "..."
  if (length(arguments) > 0L && !any(required)) 1L else sum(required)
}

# A model that names emit in any of its functions outputs what it emits and nothing else. One that never does outputs
# the visible values that its functions return.
names_emit <- function() {
  functions <- Filter(is.function, mget(ls(globalenv(), all.names = TRUE), envir = globalenv()))
  any(vapply(functions, function(each) "emit" %in% all.names(body(each)), NA))
}

snapshots_of <- function(lines) {
  annotation <- grep("^\\s*#\\s*\\w+\\.snapshots\\b", lines, value = TRUE, perl = TRUE)
  if (length(annotation) > 0L && grepl("\\beof\\s*$", annotation[[1L]], perl = TRUE)) "eof" else "none"
}

stop_loading <- function(sentence, trace = NULL) {
  stop(structure(class = c("loading", "error", "condition"), list(message = sentence, call = NULL, trace = trace)))
}
