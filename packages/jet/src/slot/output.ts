// The output side of a slot: records of a model come in, checked frames for the stream go out.
import { type AvroType, compileConvert } from '@pitot/avro'
import { type Encoder, type EncodingName, encodings, type Frames } from '@pitot/codec'
import type { JetReject, SlotStream } from '../messages.ts'
import { type Conversion, compileConversion } from './conversion.ts'
import type { See } from './field-watches.ts'
import { base64, typeOf } from './input.ts'
import { compileText, plainJson, readText } from './json-text.ts'

export interface OutputBatch {
  /** One frame for each record that was not refused. */
  readonly frames: Frames
  /** For each frame: the input frame that its record came from. */
  readonly indexes: Uint32Array
  readonly rejects: JetReject[]
  readonly seconds: { readonly checkOutput: number; readonly encode: number }
}

/** One stream as one model fills it. Made anew when either changes. */
export interface Output {
  /**
   * `indexes`: for each record the input frame it came from. `see` is shown the records that passed the checks. Never throws:
   * what is no record is rejected.
   */
  encode(records: readonly unknown[], indexes: ArrayLike<number>, see?: See): OutputBatch
  /** A record from the JSON text that a model wrote, to be encoded next; throws a SyntaxError when it is no JSON. */
  readonly fromJson: (text: string) => unknown
}

export interface OutputOptions {
  /** The slot's number, for rejects. */
  readonly slot: number
  /** The records are known to be values of the model's type: they were made by a compiler that sees to it. */
  readonly isTrusted?: boolean
}

/**
 * Records are checked against both schemas, the model's and the stream's, null or absent when there is none. Throws an Error
 * when the encoding cannot carry the type, or no record of the model could be one of the stream.
 */
export function compileOutput(stream: SlotStream, modelSchema: unknown, options: OutputOptions): Output {
  const streamType = typeOf(stream.schema)
  const modelType = typeOf(modelSchema)
  const encoding = encodings[stream.encoding as EncodingName]
  const encoder = encoding.encoder(streamType ?? modelType, stream.options)
  const checks = conversions(modelType, streamType, options.isTrusted === true)
  // Where no type says how maps and bytes are written, JSON.stringify would make something else of them.
  if (streamType === null && modelType === null && stream.encoding === 'json') checks.push(plainJson)
  return {
    encode(records, indexes, see) {
      const pass = new OutputPass(options.slot, records, indexes)
      for (const check of checks) pass.check(check)
      see?.(pass.records)
      return pass.encode(encoder, stream.room)
    },
    fromJson: readText,
  }
}

/** First to the model's type, from whatever its language makes of it, then on to the stream's. */
function conversions(modelType: AvroType | null, streamType: AvroType | null, isTrusted: boolean): Conversion[] {
  const first = modelType ?? streamType
  const given = first === null || (isTrusted && modelType !== null) ? undefined : compileConvert(first)
  const between = modelType !== null && streamType !== null ? compileConversion(modelType, streamType) : undefined
  return [given, between].filter((conversion) => conversion !== undefined)
}

/** The records of one batch on their way. */
class OutputPass {
  readonly #slot: number
  readonly #rejects: JetReject[] = []
  #records: readonly unknown[]
  #indexes: ArrayLike<number>
  #checkSeconds = 0

  constructor(slot: number, records: readonly unknown[], indexes: ArrayLike<number>) {
    this.#slot = slot
    this.#records = records
    this.#indexes = indexes
  }

  /** Those that are still in it. */
  get records(): readonly unknown[] {
    return this.#records
  }

  check(conversion: Conversion): void {
    const start = performance.now()
    const given = this.#records
    const records: unknown[] = []
    let refused: Set<number> | undefined
    for (let at = 0; at < given.length; at++) {
      try {
        records.push(conversion(given[at]))
      } catch (error) {
        refused ??= new Set()
        refused.add(at)
        this.#reject(at, 'schema', (error as Error).message)
      }
    }
    this.#indexes = without(this.#indexes, refused)
    this.#records = records
    this.#checkSeconds += (performance.now() - start) / 1000
  }

  encode(encoder: Encoder, room: number): OutputBatch {
    const start = performance.now()
    const { frames, rejects } = encoder.encode(this.#records, room)
    for (const { index, reason } of rejects) this.#reject(index, 'encoding', reason)
    const refused = rejects.length === 0 ? undefined : new Set(rejects.map((reject) => reject.index))
    const indexes = new Uint32Array(without(this.#indexes, refused))
    const encode = (performance.now() - start) / 1000
    return { frames, indexes, rejects: this.#rejects, seconds: { checkOutput: this.#checkSeconds, encode } }
  }

  #reject(at: number, step: JetReject['step'], reason: string): void {
    this.#rejects.push({
      index: this.#indexes[at]!,
      step,
      reason,
      slot: this.#slot,
      bytes: base64(new TextEncoder().encode(shown(this.#records[at]))),
    })
  }
}

function without(indexes: ArrayLike<number>, refused: ReadonlySet<number> | undefined): ArrayLike<number> {
  return refused === undefined ? indexes : Array.from(indexes).filter((_, at) => !refused.has(at))
}

const text = compileText(null)

/** A refused output as JSON, or in words where it is nothing that JSON has. */
function shown(record: unknown): string {
  try {
    return text(record)
  } catch {
    return JSON.stringify(String(record))
  }
}
