// Keeps the configuration across restarts: one file, always whole.
import { join } from 'node:path'
import { readWhole, writeWhole } from '@pitot/service'
import { type Configuration, readConfiguration } from './configuration.ts'

export class ConfigurationFile {
  readonly #file: string

  constructor(folder: string) {
    this.#file = join(folder, 'configuration.yaml')
  }

  async read(): Promise<Configuration | undefined> {
    const text = await readWhole(this.#file)
    if (text === undefined) return undefined
    try {
      return readConfiguration(text)
    } catch (error) {
      // Nobody has just sent it, so it must be said which text has the fault.
      throw new Error(`the configuration ${this.#file} is not right: ${(error as Error).message}`)
    }
  }

  /** Resolves when the text is on the disk. A crash leaves the old text or the new one, never a part. */
  write(text: string): Promise<void> {
    return writeWhole(this.#file, text)
  }
}
