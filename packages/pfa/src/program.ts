// A compiled document: it tells what it takes and gives, and starts instances with a state of their own.
import { type AvroType, compileConvert, compileJson, type JsonCodec, printSchema } from '@pitot/avro'
import type { CheckedProgram, StoreInfo } from './check/typed.ts'
import { PfaError } from './errors.ts'
import { Instance, type StartOptions } from './instance.ts'
import type { LibraryCall, RoutinesFactory } from './runtime/routines.ts'
import { LocalCell, LocalPool } from './runtime/shared.ts'

/** The code of a program, generated or interpreted. */
export interface Compiled {
  /** The generated JavaScript; empty when the program is interpreted. */
  readonly source: string
  readonly factory: RoutinesFactory
  readonly libraryCalls: readonly LibraryCall[]
}

/** How values of one type come in and go out. */
export interface ValueCodec extends JsonCodec {
  readonly type: AvroType
}

export class Program {
  readonly name: string
  readonly version: number | undefined
  readonly method: 'map' | 'emit' | 'fold'
  /** Avro schemas, as JSON values. */
  readonly input: unknown
  readonly output: unknown
  readonly metadata: Readonly<Record<string, string>>
  readonly doc: string | undefined
  /** The generated JavaScript; empty in the mode without generated code. */
  readonly source: string
  /** @internal */
  readonly checked: CheckedProgram
  /** @internal */
  readonly compiled: Compiled
  /** @internal Cells and pools marked "shared": one for all instances of the program that are given no other place for them. */
  readonly shared: {
    readonly cells: ReadonlyMap<StoreInfo, LocalCell>
    readonly pools: ReadonlyMap<StoreInfo, LocalPool>
  }
  private readonly codecs = new Map<AvroType, ValueCodec>()
  /** Fields that a record does not have are no error: documents often use only part of a stream's fields. */
  private readonly conversion: { readonly extra: 'ignore'; readonly generate: boolean }
  private started = 0

  constructor(checked: CheckedProgram, compiled: Compiled) {
    this.checked = checked
    this.compiled = compiled
    this.name = checked.name
    this.version = checked.version
    this.method = checked.method
    this.input = printSchema(checked.input)
    this.output = printSchema(checked.output)
    this.metadata = Object.fromEntries(checked.metadata)
    this.doc = checked.doc
    this.source = compiled.source
    this.conversion = { extra: 'ignore', generate: compiled.source !== '' }
    const [cells, pools] = [checked.cells, checked.pools].map((stores) => stores.filter((store) => store.shared))
    this.shared = {
      cells: new Map(cells?.map((cell) => [cell, new LocalCell(cell.init)])),
      pools: new Map(pools?.map((pool) => [pool, new LocalPool(pool.init as Map<string, unknown>)])),
    }
  }

  start(options: StartOptions = {}): Instance {
    if (this.method === 'emit' && options.emit === undefined && options.emitJson === undefined) {
      options = { ...options, emit: () => {} }
    }
    return new Instance(this, options, this.started++)
  }

  /** @internal */
  codec(type: AvroType): ValueCodec {
    let codec = this.codecs.get(type)
    if (codec === undefined) {
      codec = { type, ...compileJson(type, this.conversion) }
      this.codecs.set(type, codec)
    }
    return codec
  }

  /** @internal Turns what a caller gives into a value of a type; what does not fit is an error of the call. */
  converter(type: AvroType): (value: unknown) => unknown {
    return compileConvert(type, this.conversion)
  }
}

export const invalidValue = (error: unknown, what: string): PfaError =>
  new PfaError('runtime', `${what} does not fit: ${error instanceof Error ? error.message : String(error)}`)
