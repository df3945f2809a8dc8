// The job on the disk: what is set and how far its inputs have come goes in, and out again when an engine starts anew.
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Attachment, ModelPackage } from '../model/package.ts'
import type { ReadMark } from '../slots/input.ts'
import { keepFile, replaceFile, syncFolder, writeDurably } from './durable-file.ts'

export interface SavedStream {
  readonly slot: number
  readonly name: string | undefined
  /** As it was given. */
  readonly descriptor: Readonly<Record<string, unknown>>
  /** How far it had come; undefined when nothing of it was done. */
  readonly position: ReadMark | undefined
}

export interface SavedJob {
  /** Its files belong to the saved job: `dispose` leaves them alone. */
  readonly model: ModelPackage | undefined
  readonly streams: readonly SavedStream[]
  readonly scale: number
}

interface StreamEntry {
  readonly slot: number
  readonly name?: string | undefined
  readonly descriptor: Readonly<Record<string, unknown>>
  /** Tells positions of this stream from those of the one before it in the slot. */
  readonly key: string
}

interface ModelEntry {
  readonly folder: string
  readonly name: string
  readonly language: string
  readonly contentType: string
  /** In order; the file is the number, from 1. */
  readonly attachments: readonly Omit<Attachment, 'file'>[]
  readonly schemas: readonly (readonly [name: string, schema: unknown])[]
}

interface JobEntry {
  readonly format: 1
  readonly scale: number
  readonly model: ModelEntry | null
  readonly streams: readonly StreamEntry[]
}

type PositionEntries = Readonly<Record<string, { readonly key: string; readonly position: ReadMark }>>

const nothing: JobEntry = { format: 1, scale: 1, model: null, streams: [] }
/** Positions are written at most this often, in milliseconds: what is done in between would be done again. */
const positionInterval = 100

/**
 * The folder of the saved job:
 *
 *     job.json          model, streams and scale; replaced as a whole
 *     positions.json    how far each input has come; replaced as a whole, some times a second at most
 *     model-…/source    the files of the model: there before job.json names them, gone after it does not any more
 *     model-…/1         its first attachment
 *
 * Changes are made one after the other and have survived a crash when they resolve.
 */
export class SavedJobFolder {
  readonly #folder: string
  readonly #log: (message: string) => void
  readonly #positions = new Map<number, { readonly key: string; readonly position: ReadMark }>()
  #entry: JobEntry = nothing
  #last: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  /** `log` hears why positions could not be written; everything else is told by rejecting. */
  constructor(folder: string, log: (message: string) => void) {
    this.#folder = folder
    this.#log = log
  }

  /** To be called first. Rejects when something is there that cannot be read; `clear` then makes room. */
  read(): Promise<SavedJob> {
    return this.#inTurn(async () => {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      const entry = (await readJson<JobEntry>(this.#path('job.json'))) ?? nothing
      if (entry.format !== 1) throw new Error(`${this.#path('job.json')} was written by another release of the engine`)
      const positions = (await readJson<PositionEntries>(this.#path('positions.json'))) ?? {}
      this.#entry = entry
      for (const { slot, key } of entry.streams) {
        const known = positions[slot]
        if (known?.key === key) this.#positions.set(slot, known)
      }
      const model = entry.model === null ? undefined : await this.#readModel(entry.model)
      await this.#removeOldModels()
      const streams = entry.streams.map(({ slot, name, descriptor }) => ({
        slot,
        name,
        descriptor,
        position: this.#positions.get(slot)?.position,
      }))
      return { model, streams, scale: entry.scale }
    })
  }

  /** The files of the package are kept a second time: it may be disposed of afterwards. */
  setModel(model: ModelPackage | undefined): Promise<void> {
    return this.#inTurn(async () => {
      await this.#write({ model: model === undefined ? null : await this.#keepModel(model) })
      await this.#removeOldModels()
    })
  }

  /** A stream that is set anew starts where its descriptor says, whatever was there before it. */
  setStream(
    slot: number,
    stream: { readonly name?: string | undefined; readonly descriptor: Readonly<Record<string, unknown>> } | undefined,
  ): Promise<void> {
    return this.#inTurn(async () => {
      const others = this.#entry.streams.filter((other) => other.slot !== slot)
      this.#positions.delete(slot)
      if (stream === undefined) return this.#write({ streams: others })
      const { name, descriptor } = stream
      await this.#write({ streams: [...others, { slot, name, descriptor, key: randomUUID() }] })
    })
  }

  setScale(scale: number): Promise<void> {
    return this.#inTurn(() => this.#write({ scale }))
  }

  /** Everything up to here is done. Cheap: written soon, together with what comes until then. */
  setPosition(slot: number, position: ReadMark): void {
    const key = this.#entry.streams.find((stream) => stream.slot === slot)?.key
    if (key === undefined) return
    this.#positions.set(slot, { key, position })
    this.#timer ??= setTimeout(() => void this.#inTurn(() => this.#writePositions()), positionInterval)
  }

  /** Forgets the job. */
  clear(): Promise<void> {
    return this.#inTurn(async () => {
      this.#positions.clear()
      this.#entry = nothing
      await rm(this.#folder, { recursive: true, force: true })
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      await syncFolder(this.#folder)
    })
  }

  /** The last positions are written, then nothing more. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#timer !== undefined) await this.#writePositions()
    })
  }

  async #write(change: Partial<JobEntry>): Promise<void> {
    const next = { ...this.#entry, ...change }
    await replaceFile(this.#path('job.json'), JSON.stringify(next))
    this.#entry = next
  }

  async #writePositions(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    try {
      await replaceFile(this.#path('positions.json'), JSON.stringify(Object.fromEntries(this.#positions)))
    } catch (error) {
      this.#log(`the positions of the job could not be saved: ${(error as Error).message}`)
    }
  }

  async #keepModel(model: ModelPackage): Promise<ModelEntry> {
    const { name, language, contentType, source, attachments, schemas } = model
    const folder = `model-${randomUUID()}`
    await mkdir(this.#path(folder), { mode: 0o700 })
    await writeDurably(this.#path(folder, 'source'), source)
    for (const [index, { file }] of attachments.entries()) {
      await keepFile(file, this.#path(folder, String(index + 1)))
    }
    await syncFolder(this.#path(folder))
    return {
      folder,
      name,
      language,
      contentType,
      attachments: attachments.map(({ name: attached, type, size }) => ({ name: attached, type, size })),
      schemas: [...schemas],
    }
  }

  async #readModel({ folder, name, language, contentType, attachments, schemas }: ModelEntry): Promise<ModelPackage> {
    const kept = attachments.map((attachment, index) => ({
      ...attachment,
      file: this.#path(folder, String(index + 1)),
    }))
    for (const { file, size } of kept) {
      if ((await stat(file)).size !== size) throw new Error(`${file} is not ${size} bytes long`)
    }
    return {
      name,
      language,
      contentType,
      source: await readFile(this.#path(folder, 'source')),
      attachments: kept,
      schemas: new Map(schemas),
      dispose: async () => undefined,
    }
  }

  /** Also those that a crash left behind. */
  async #removeOldModels(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      if (!name.startsWith('model-') || name === this.#entry.model?.folder) continue
      await rm(this.#path(name), { recursive: true, force: true })
    }
  }

  #path(...names: string[]): string {
    return join(this.#folder, ...names)
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = this.#last.then(work)
    this.#last = next.catch(() => undefined)
    return next
  }
}

/** Undefined when there is no such file. */
async function readJson<Value>(path: string): Promise<Value | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Value)
  } catch (error) {
    throw new Error(`${path} is damaged: ${(error as Error).message}`)
  }
}
