# Commands that a model starts. R hands on all its open descriptors, the channel's among them, and cannot be told not to:
# so the shell that runs the command closes them first. A model gets these functions in place of R's own.

.CLOSE <- paste0("exec ", paste0(3:9, ">&-", collapse = " "), ";")

system_apart <- function(command, ...) base::system(apart(command), ...)

# What is in `env` stands before the command.
system2_apart <- function(command, args = character(), ..., env = character()) {
  base::system2(command, args, ..., env = c(.CLOSE, env))
}

pipe_apart <- function(description, ...) base::pipe(apart(description), ...)

# What is no command is left for R to complain of.
apart <- function(command) {
  if (is.character(command) && length(command) == 1L) paste(.CLOSE, command) else command
}
