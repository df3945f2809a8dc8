# What the model emits while it works on a batch, in the order it does. Kept in vectors that grow, since this happens per record.

.values <- vector("list", 1024L)
.indexes <- integer(1024L)
.slots <- integer(1024L)
.count <- 0L
# The frame at hand, from 0; -1 (all bits set) in begin and end.
.frame <- -1L
# The output slots that the model has, and which of them take record sets.
.outputs <- 1L
.setOutputs <- integer()
# Whether slot 1 is the only output, and takes records.
.isPlain <- FALSE

.END_OF_SET <- 0x8000L

emit <- function(x, slot = 1L) {
  if (!is.numeric(slot) || length(slot) != 1L || !(slot %in% .outputs)) {
    stop("emit(x, slot) was called with slot ", deparse(slot)[[1L]], "; the model has the output slots ", paste(.outputs, collapse = ", "), call. = FALSE)
  }
  add_emission(x, slot)
  if (slot %in% .setOutputs) add_emission(NULL, bitwOr(as.integer(slot), .END_OF_SET))
  invisible(NULL)
}

# For models with one output of records: this is run once per record, so it does no more than it must. `.slots` stays as it is.
emit_plainly <- function(x, slot = 1L) {
  if (slot != 1) stop("emit(x, slot) was called with slot ", deparse(slot)[[1L]], "; the model has the output slot 1", call. = FALSE)
  n <- .count + 1L
  if (is.null(x)) .values[n] <<- list(NULL) else .values[[n]] <<- x
  .indexes[[n]] <<- .frame
  .count <<- n
  invisible(NULL)
}

add_emission <- function(x, slot) {
  n <- .count + 1L
  if (is.null(x)) .values[n] <<- list(NULL) else .values[[n]] <<- x
  .indexes[[n]] <<- .frame
  .slots[[n]] <<- as.integer(slot)
  .count <<- n
}

# Forgets what was emitted for a record that failed.
drop_emissions <- function(count) .count <<- count

emission_slots <- function() {
  if (.isPlain) rep.int(1L, .count) else .slots[seq_len(.count)]
}

# One serialised list of all values. Environments are of no use to the host, and could be everything the model has.
serialised_emissions <- function() {
  serialize(.values[seq_len(.count)], NULL, xdr = FALSE, version = 2L, refhook = function(reference) "environment")
}

# Memory of a batch that emitted much is given back.
clear_emissions <- function() {
  size <- min(max(1024L, 2L * .count), 65536L)
  .values <<- vector("list", size)
  .count <<- 0L
}
