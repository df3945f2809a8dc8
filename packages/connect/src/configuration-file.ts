// Keeps the configuration across restarts: one file, always whole.
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Configuration, readConfiguration } from './configuration.ts'

export class ConfigurationFile {
  readonly #folder: string
  readonly #file: string

  constructor(folder: string) {
    this.#folder = folder
    this.#file = join(folder, 'configuration.yaml')
  }

  async read(): Promise<Configuration | undefined> {
    const text = await readFile(this.#file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (text === undefined) return undefined
    try {
      return readConfiguration(text)
    } catch (error) {
      // Nobody has just sent it, so it must be said which text has the fault.
      throw new Error(`the configuration ${this.#file} is not right: ${(error as Error).message}`)
    }
  }

  /** Resolves when the text is on the disk. A crash leaves the old text or the new one, never a part. */
  async write(text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const temporary = `${this.#file}.new`
    const handle = await open(temporary, 'w', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, this.#file)
    const folder = await open(this.#folder, 'r')
    await folder.sync().finally(() => folder.close())
  }
}
