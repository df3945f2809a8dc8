// The log: level and form come in, a pino logger goes out.
import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

export type { Logger } from 'pino'
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
export const logFormats = ['pretty', 'json'] as const

export interface LogOptions {
  readonly level: (typeof logLevels)[number]
  readonly format: (typeof logFormats)[number]
}

/** Logs to standard error: standard output belongs to what the user asked for. */
export function createLog(options: LogOptions): Logger {
  const settings = { level: options.level, base: null, redact: ['token', 'password', '*.token', '*.password'] }
  if (options.format === 'json') return pino(settings, pino.destination({ dest: 2, sync: true }))
  return pino(settings, pretty({ destination: 2, sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss.l' }))
}
