// What ends the command early: an error comes in, one clear sentence and an exit code go out.
import { reasonOf } from '@pitot/service'

/** The exit code for a wrong configuration, as in sysexits.h. */
export const wrongConfiguration = 78

/** An error whose message is meant for the person at the keyboard. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode: number

  constructor(sentence: string, exitCode = wrongConfiguration) {
    super(sentence)
    this.exitCode = exitCode
  }
}

/** Names the option that would help, when a service cannot listen where it should. */
export function listenFailure(error: unknown, where: { host: string; port: number; option: string }): unknown {
  const { host, port, option } = where
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return new CommandFailure(
      `port ${port} on ${host} is in use; choose another with ${option}, or 0 for any free one`,
      1,
    )
  }
  if (code === 'EACCES')
    return new CommandFailure(`port ${port} is not open to this user; choose another with ${option}`, 1)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new CommandFailure(`${host} is no address of this machine; choose another with --host`, wrongConfiguration)
  }
  return error
}

export function fileFailure(error: unknown, what: string, path: string, option: string): CommandFailure {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'it is not there',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOTDIR: 'a part of the path is a file',
    EEXIST: 'there is a file of that name',
    EISDIR: 'it is a folder',
    ENOSPC: 'the disk is full',
  }
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? reasonOf(error)
  return new CommandFailure(`${what} ${path} cannot be used: ${reason}; see ${option}`)
}

/** The sentence and the exit code of whatever was thrown. */
export function lastWords(error: unknown): { sentence: string; exitCode: number } {
  if (error instanceof CommandFailure) return { sentence: error.message, exitCode: error.exitCode }
  return { sentence: reasonOf(error), exitCode: 1 }
}
