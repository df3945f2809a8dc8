# A record set: a list of records goes in; out comes a data.frame of named records, a matrix of equally long vectors,
# or a vector of scalars.

as_record_set <- function(records) {
  if (length(records) == 0L) return(data.frame())
  isNamed <- vapply(records, function(record) is.list(record) && !is.null(names(record)), NA)
  if (all(isNamed)) return(as_data_frame(records))
  sizes <- lengths(records)
  isPlain <- function(record) is.null(record) || is.atomic(record) && is.null(attributes(record))
  if (!all(vapply(records, isPlain, NA))) return(records)
  if (all(sizes <= 1L)) return(as_column(records))
  if (all(sizes == sizes[[1L]])) return(do.call(rbind, records))
  records
}

# For records that come one by one to a function that takes record sets.
as_set_of_one <- function(record) as_record_set(list(record))

# Fields in the order in which they are first met; what a record lacks is NA.
as_data_frame <- function(records) {
  fields <- unique(unlist(lapply(records, names)))
  columns <- lapply(fields, function(field) as_column(lapply(records, .subset2, field)))
  names(columns) <- fields
  structure(columns, class = "data.frame", row.names = .set_row_names(length(records)))
}

# A vector where every value is a scalar or missing, else a list.
as_column <- function(values) {
  sizes <- lengths(values)
  isScalar <- sizes == 0L & vapply(values, is.null, NA) | sizes == 1L & !vapply(values, is.list, NA)
  # Texts and numbers mixed would all become texts.
  kinds <- unique(vapply(values[sizes == 1L], kind_of, ""))
  if (!all(isScalar) || length(kinds) > 1L) return(I(values))
  values[sizes == 0L] <- NA
  unlist(values)
}

kind_of <- function(value) if (is.numeric(value)) "number" else typeof(value)
