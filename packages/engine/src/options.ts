// What an engine is started with, besides what every service is.
import type { ServiceOptions } from '@pitot/service'

export interface EngineOptions extends ServiceOptions {
  /** Folder for what the engine keeps: jets' folders, and the job when it is resumed. An absolute path. */
  readonly data: string
  /** Where Connect is; without it nothing stored can be referred to. */
  readonly connect?: URL | undefined
  /** Whether the job that was there at the last stop is taken up again. */
  readonly resume: boolean
  /** Files of streams are looked for below this folder only, when it is set. */
  readonly fileRoot?: string | undefined
  /** Executables that exec streams may start. */
  readonly allowExec: readonly string[]
  /** Bytes that the cells and pools of a job may hold together. */
  readonly stateMemory: number
  readonly jets: JetSettings
}

export interface JetSettings {
  /** Bytes one jet may have resident. */
  readonly memory: number
  /** Seconds one record may take. */
  readonly timeout: number
  /** Whether models may use the network. */
  readonly network: boolean
  /** `auto`: bubblewrap where it works. `none`: without. */
  readonly isolation: 'auto' | 'none'
  /** The Python to run models with; found on the path when not given. */
  readonly python?: string | undefined
  /** The Rscript to run models with; found on the path when not given. */
  readonly rscript?: string | undefined
}
