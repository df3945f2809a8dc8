action <- function(days) {
  day <- as.Date(days, origin = "1970-01-01")
  instant <- as.POSIXct(days * 86400 + 0.0015, origin = "1970-01-01", tz = "UTC")
  emit(list(day = day, millis = instant, micros = instant, midnight = day, day_text = day, empty = as.Date(NA)))
}
