# What the model emits while it works on a batch, in the order it does. Kept in vectors that grow, since this happens
# per record.

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
.SLOT_1 <- as.raw(c(1L, 0L))

emit <- function(x, slot = .outputs[[1L]]) {
  if (!is.numeric(slot) || length(slot) != 1L || !(slot %in% .outputs)) stop_emitting(slot)
  add_emission(x, slot)
  if (slot %in% .setOutputs) add_emission(NULL, bitwOr(as.integer(slot), .END_OF_SET))
  invisible(NULL)
}

# Stands in for emit while the model is loaded.
emit_too_early <- function(x, slot) stop("emit can be called only while begin, action or end is running", call. = FALSE)

# For models with one output of records: this is run once per record, so it does no more than it must.
emit_plainly <- function(x, slot = 1L) {
  if (slot != 1) stop_emitting(slot)
  n <- .count + 1L
  if (is.null(x)) .values[n] <<- list(NULL) else .values[[n]] <<- x
  .indexes[[n]] <<- .frame
  .count <<- n
  invisible(NULL)
}

stop_emitting <- function(slot) {
  outputs <- paste(.outputs, collapse = ", ")
  stop("emit was called with slot ", deparse(slot)[[1L]], ": the model's output slots are ", outputs, call. = FALSE)
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

# Two bytes for each.
emission_slots <- function() {
  if (.isPlain) rep.int(.SLOT_1, .count) else writeBin(.slots[seq_len(.count)], raw(), size = 2L, endian = "little")
}

# One serialised list of all values. Environments are of no use to the host, and could be everything the model has.
serialised_emissions <- function() {
  serialize(.values[seq_len(.count)], NULL, xdr = FALSE, version = 2L, refhook = function(reference) "environment")
}

# Memory of a batch that emitted much is given back.
clear_emissions <- function() {
  if (.count > 1024L) .values <<- vector("list", min(2L * .count, 65536L))
  .count <<- 0L
}
