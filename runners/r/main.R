# The runner for models in R, base packages only. Messages of the host come in on descriptor 3, answers go out on
# descriptor 4; ../PROTOCOL.md says what they are, README.md what a model may expect.

local({
  folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[[1L]]))
  # The model has the global environment for itself. What it may call is attached beside the packages, so that
  # `rm(list = ls())` does not remove it; all else stands where the model does not look.
  runner <- new.env(parent = baseenv())
  parts <- c(
    "json", "base64", "channel", "processes", "trace", "emissions", "recordset", "state", "model", "score",
    "conversation"
  )
  for (part in parts) {
    sys.source(file.path(folder, paste0(part, ".R")), envir = runner, keep.source = FALSE)
  }
  runner$converse()
})
