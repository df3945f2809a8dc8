// A job on the disk: what it is made of is kept as it changes, and found again when the engine starts after a stop or a crash.
import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Attachment, ModelPackage } from '../model/package.ts'
import type { ReadMark } from '../slots/input.ts'

export interface SavedStream {
  readonly slot: number
  readonly name?: string | undefined
  readonly descriptor: Readonly<Record<string, unknown>>
}

export interface SavedState {
  readonly scale: number
  readonly streams: readonly SavedStream[]
  readonly model: ModelPackage | undefined
  /** How far the inputs were read and everything of it written. */
  readonly read: Readonly<Record<number, ReadMark>>
}

/** What stands in the file: a model's source and attachments are files beside it. */
interface Written {
  readonly scale: number
  readonly streams: readonly SavedStream[]
  readonly model: {
    /** Folder of its files: another model gets another one, so that no crash finds two halves. */
    readonly folder: string
    readonly name: string
    readonly language: string
    readonly contentType: string
    readonly attachments: readonly Omit<Attachment, 'file'>[]
    readonly schemas: Readonly<Record<string, unknown>>
  } | null
}

const NOTHING: Written = { scale: 1, streams: [], model: null }

export class SavedJob {
  readonly #folder: string
  #written: Written = NOTHING
  readonly #read = new Map<number, ReadMark>()
  /** One change of the disk after the other. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** What is there; undefined when nothing is. Rejects when it cannot be read. */
  async restore(): Promise<SavedState | undefined> {
    const text = await readFile(this.#path('job.json'), 'utf8').catch(absent)
    if (text === undefined) return undefined
    this.#written = JSON.parse(text) as Written
    const positions = await readFile(this.#path('positions.json'), 'utf8').catch(absent)
    const read = positions === undefined ? {} : (JSON.parse(positions) as Record<number, ReadMark>)
    for (const [slot, mark] of Object.entries(read)) this.#read.set(Number(slot), mark)
    const { scale, streams } = this.#written
    return { scale, streams, model: await this.#readModel(), read }
  }

  scale(scale: number): Promise<void> {
    return this.#change({ scale })
  }

  /** A stream begins anew: how far the one before it was read does not matter any more. */
  stream(stream: SavedStream): Promise<void> {
    this.#read.delete(stream.slot)
    const others = this.#written.streams.filter(({ slot }) => slot !== stream.slot)
    return this.#change({ streams: [...others, stream] }, () => this.#writePositions())
  }

  async model(given: ModelPackage | undefined): Promise<void> {
    if (given === undefined) return this.#change({ model: null })
    const folder = `model-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`
    const { name, language, contentType, attachments, schemas, source } = given
    const model = {
      folder,
      name,
      language,
      contentType,
      attachments: attachments.map(({ file: _, ...attachment }) => attachment),
      schemas: Object.fromEntries(schemas),
    }
    const old = this.#written.model?.folder
    await this.#inTurn(async () => {
      await mkdir(this.#path(folder), { recursive: true })
      await writeDurably(join(this.#path(folder), 'source'), source)
      for (const [at, { file }] of attachments.entries()) await keep(file, join(this.#path(folder), String(at)))
    })
    await this.#change({ model })
    if (old !== undefined) await rm(this.#path(old), { recursive: true, force: true })
  }

  /** Resolves when it is on the disk. Called a few times a second at most. */
  position(slot: number, mark: ReadMark): Promise<void> {
    this.#read.set(slot, mark)
    return this.#inTurn(() => this.#writePositions())
  }

  /** There is no job any more. */
  async forget(): Promise<void> {
    this.#written = NOTHING
    this.#read.clear()
    await this.#inTurn(() => rm(this.#folder, { recursive: true, force: true }))
  }

  #change(change: Partial<Written>, also?: () => Promise<void>): Promise<void> {
    this.#written = { ...this.#written, ...change }
    const text = JSON.stringify(this.#written)
    return this.#inTurn(async () => {
      await mkdir(this.#folder, { recursive: true })
      // Positions first: those of an old stream must not be taken for those of a new one.
      await also?.()
      await writeDurably(this.#path('job.json'), text)
    })
  }

  async #writePositions(): Promise<void> {
    await writeDurably(this.#path('positions.json'), JSON.stringify(Object.fromEntries(this.#read)))
  }

  async #readModel(): Promise<ModelPackage | undefined> {
    const { model } = this.#written
    if (model === null) return undefined
    const { folder, attachments, schemas, ...rest } = model
    const file = (name: string) => join(this.#path(folder), name)
    return {
      ...rest,
      source: await readFile(file('source')),
      attachments: attachments.map((attachment, at) => ({ ...attachment, file: file(String(at)) })),
      schemas: new Map(Object.entries(schemas)),
      dispose: async () => undefined,
    }
  }

  #path(name: string): string {
    return join(this.#folder, name)
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const next = this.#last.then(work, work)
    this.#last = next.catch(() => undefined)
    return next
  }
}

/** The file has its old contents or all of its new ones, whatever happens. */
async function writeDurably(path: string, contents: string | Uint8Array): Promise<void> {
  const file = await open(`${path}.new`, 'w')
  try {
    await file.writeFile(contents)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

/** An attachment is never written to again, so that one file may have two names where the file system allows it. */
async function keep(file: string, copy: string): Promise<void> {
  await link(file, copy).catch(() => copyFile(file, copy, constants.COPYFILE_FICLONE))
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}
