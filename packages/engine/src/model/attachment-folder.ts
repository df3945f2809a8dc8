// Where attachments are kept until the model goes: their bytes come in as they arrive and stand in files, under names of ours.
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { failure } from '@pitot/api'
import type { Attachment } from './package.ts'

export class AttachmentFolder {
  readonly kept: Attachment[] = []
  readonly #folder: string
  readonly #limit: number
  #size = 0

  /** `limit`: bytes of all attachments together. */
  constructor(folder: string, limit: number) {
    this.#folder = folder
    this.#limit = limit
  }

  /** Resolves when everything is in the file. `type` is the content type, as far as the sender knows it. */
  async keep(given: string | undefined, type: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const name = given ?? `attachment-${this.kept.length + 1}`
    if (this.kept.some((other) => other.name === name)) {
      throw failure('bad-attachment', { attachment: name, reason: 'there is another one of this name' })
    }
    const file = join(this.#folder, String(this.kept.length + 1))
    const { size, start } = await this.#write(name, file, chunks)
    this.kept.push({ name, type: archiveType(name, type, start), file, size })
  }

  async #write(name: string, file: string, chunks: AsyncIterable<Uint8Array>) {
    const target = await open(file, 'wx', 0o600)
    let size = 0
    let start = Buffer.alloc(0)
    try {
      for await (const chunk of chunks) {
        size += chunk.length
        this.#size += chunk.length
        if (this.#size > this.#limit) {
          throw failure('model-too-large', { what: `attachment '${name}', with those before it,`, limit: this.#limit })
        }
        if (start.length < 4) start = Buffer.concat([start, chunk.subarray(0, 4)])
        await target.writeFile(chunk)
      }
    } finally {
      await target.close()
    }
    return { size, start }
  }
}

/** What the bytes say counts first: clients guess content types from file names. */
function archiveType(name: string, type: string, start: Buffer): Attachment['type'] {
  if (start[0] === 0x1f && start[1] === 0x8b) return 'gzip'
  if (start[0] === 0x50 && start[1] === 0x4b) return 'zip'
  // A zip may have something in front of it.
  if (/\bzip$|zip-compressed$/.test(type) && !type.endsWith('gzip')) return 'zip'
  const reason = start.length === 0 ? 'it is empty' : 'it is neither a zip nor a tar.gz archive'
  throw failure('bad-attachment', { attachment: name, reason })
}
