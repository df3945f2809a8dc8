# State that all jets of a job share: Cell and Pool name it, Get, Set and Update reach it through the host.

Cell <- function(name) structure(list(cell = as.character(name)), class = "Cell")
Pool <- function(name) structure(list(pool = as.character(name)), class = "Pool")

# Get(cell), Get(pool, key): the value, NULL where there is none.
Get <- function(x, ...) from_shared(ask("get", item(x, ...))$value)

# Set(cell, value), Set(pool, key, value).
Set <- function(x, ...) {
  if (inherits(x, "Cell")) set_cell(x, ...) else set_in_pool(x, ...)
}

# Update(cell, f), Update(pool, key, f): f gets the value and gives the new one, while no other jet can change it.
Update <- function(x, ...) {
  if (inherits(x, "Cell")) update_cell(x, ...) else update_in_pool(x, ...)
}

set_cell <- function(cell, value) set_item(item(cell), value)
set_in_pool <- function(pool, key, value) set_item(item(pool, key), value)
update_cell <- function(cell, f) update_item(item(cell), f)
update_in_pool <- function(pool, key, f) update_item(item(pool, key), f)

item <- function(x, key) {
  if (inherits(x, "Cell")) return(list(cell = x$cell))
  if (inherits(x, "Pool")) return(list(pool = x$pool, key = as.character(key)))
  stop("Get, Set and Update take Cell(name) or Pool(name)", call. = FALSE)
}

set_item <- function(item, value) {
  ask("set", item, list(value = to_shared(value)))
  invisible(value)
}

update_item <- function(item, f) {
  locked <- ask("lock", item)
  isHeld <- TRUE
  # When f fails the item keeps its value, and others can have it.
  on.exit(if (isHeld) ask("release", item))
  value <- f(from_shared(locked$value))
  isHeld <- FALSE
  ask("release", item, list(value = to_shared(value)))
  invisible(value)
}

ask <- function(what, item, rest = list()) {
  send_json(.ASK, c(list(do = what), item, rest))
  answer <- receive_answer()
  .spoke <<- .Internal(Sys.time())
  if (!is.null(answer$failed)) stop(answer$failed, call. = FALSE)
  answer
}

# A text, a double and a truth value are JSON; everything else keeps its exact kind in R's own form.
to_shared <- function(value) {
  if (is.null(value) || is_json_scalar(value)) value
  else list("$r" = to_base64(serialize(value, NULL, version = 2L)))
}

is_json_scalar <- function(value) {
  (is.character(value) || is.double(value) || is.logical(value)) &&
    length(value) == 1L && is.null(attributes(value)) && !is.na(value) &&
    (if (is.character(value)) validUTF8(value) else is.finite(value))
}

from_shared <- function(value) {
  if (is.list(value) && identical(names(value), "$r")) return(unserialize(from_base64(value[["$r"]])))
  if (is.list(value)) return(lapply(value, from_shared))
  if (inherits(value, "exact")) as.numeric(value) else value
}
