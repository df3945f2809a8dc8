// What a jet is started with: how to run its runner, where, and within which limits.
import type { SharedStateStore } from '../jet.ts'

/** How to start the runner of a language. */
export interface Runner {
  /** `node`, `python`, `r`. */
  readonly name: string
  readonly command: string
  /** `{folder}` in an argument stands for the jet's folder, `{megabytes}` for the memory it may have. */
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Files and folders besides the system's that the runner must be able to read. */
  readonly readable: readonly string[]
  /** What the runner itself keeps the model from, in words: for status. */
  readonly isolation: readonly string[]
}

export interface JetOptions {
  readonly runner: Runner
  /** Digits, unique in this engine. */
  readonly sandbox: string
  /** The jet's own folder: exists, holds the model's source and the files of its attachments. */
  readonly folder: string
  /** Bytes resident at most. */
  readonly memory: number
  /** Seconds that one record may take. */
  readonly timeout: number
  readonly network: boolean
  /** `auto`: bubblewrap where it works. `none`: without. */
  readonly isolation: 'auto' | 'none'
  readonly state: SharedStateStore
  /** What the model prints, in pieces of whole lines where there are lines. */
  readonly console: (text: string) => void
  readonly log: (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void
}
