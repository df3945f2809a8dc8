// Reads data written with another schema, as generated code: two types go in, a fast function comes out that reads what `resolver.ts` reads.
import { readIndex, readString } from '../binary/cursor.ts'
import { minimumSize } from '../binary/minimum.ts'
import type { Read } from '../binary/read.ts'
import { blocks, generateRead } from '../binary/read-code.ts'
import { Branch } from '../branch.ts'
import { type Code, code, objectLiteral } from '../code.ts'
import { FunctionSet } from '../generator.ts'
import { sameType } from '../schema/same-type.ts'
import { branchName, isPlainUnion } from '../schema/union.ts'
import type { AvroType, RecordType, UnionType } from '../type.ts'
import { defaultCode } from '../value/convert-code.ts'
import { writtenField } from './compatible.ts'
import { chosenBranch, type Resolver } from './resolver.ts'
import { compileSkip } from './skip.ts'

/** The resolver says what can be read at all, and reads what needs no function of its own. */
export function generateResolve(writer: AvroType, reader: AvroType, resolver: Resolver): Read {
  return new ResolveGenerator(writer, resolver).generate(writer, reader)
}

class ResolveGenerator extends FunctionSet {
  readonly #resolver: Resolver
  readonly #cursor = this.scope.name('cursor')
  readonly #names = new Map<AvroType, Map<AvroType, Code>>()

  constructor(writer: AvroType, resolver: Resolver) {
    super(writer)
    this.#resolver = resolver
  }

  generate(writer: AvroType, reader: AvroType): Read {
    return this.compile(() => code`return ${this.#read(writer, reader)};`)
  }

  protected override parameters(): Code {
    return this.#cursor
  }

  /** An expression that reads a value. */
  #read(writer: AvroType, reader: AvroType): Code {
    if (this.#isComplex(writer) && sameType(writer, reader)) return this.#call(generateRead(reader))
    if (writer.kind === 'union') return this.#functionFor(writer, reader, () => this.#fromUnion(writer, reader))
    if (reader.kind === 'union') return this.#toUnion(writer, reader)
    if (writer.kind === 'array' && reader.kind === 'array') {
      return this.#functionFor(writer, reader, () => this.#array(writer.items, reader.items))
    }
    if (writer.kind === 'map' && reader.kind === 'map') {
      return this.#functionFor(writer, reader, () => this.#map(writer.values, reader.values))
    }
    if (writer.kind === 'record' && reader.kind === 'record') {
      return this.#functionFor(writer, reader, () => this.#record(writer, reader))
    }
    return this.#call(this.#resolver.reader(writer, reader)!)
  }

  #isComplex(type: AvroType): boolean {
    return type.kind === 'array' || type.kind === 'map' || type.kind === 'record' || type.kind === 'union'
  }

  #call(read: (cursor: never) => unknown): Code {
    return code`${this.scope.constant(read, 'read')}(${this.#cursor})`
  }

  #functionFor(writer: AvroType, reader: AvroType, body: () => Code): Code {
    const byReader = this.#names.get(writer) ?? new Map<AvroType, Code>()
    this.#names.set(writer, byReader)
    let name = byReader.get(reader)
    if (name === undefined) {
      name = this.scope.name(writer.kind)
      byReader.set(reader, name)
      this.define(name, body)
    }
    return code`${name}(${this.#cursor})`
  }

  #fromUnion(writer: UnionType, reader: AvroType): Code {
    const index = code`${this.scope.constant(readIndex, 'read')}(${this.#cursor}, ${writer.branches.length}, '')`
    const cases = writer.branches.map((branch, at) => {
      const readable = this.#resolver.reader(branch, reader) !== undefined
      return code`case ${at}: ${readable ? code`return ${this.#read(branch, reader)};` : this.refuse}`
    })
    return code`switch (${index}) { ${cases} }`
  }

  #toUnion(writer: AvroType, reader: UnionType): Code {
    const branch = chosenBranch(writer, reader)!
    const value = this.#read(writer, branch)
    return isPlainUnion(reader) ? value : code`new ${this.scope.constant(Branch)}(${branchName(branch)}, ${value})`
  }

  #array(written: AvroType, items: AvroType): Code {
    const array = this.scope.name('array')
    const add = code`${array}.push(${this.#read(written, items)});`
    const loop = blocks(this.scope, this.#cursor, minimumSize(written), code`${array}.length`, add)
    return code`const ${array} = []; ${loop} return ${array};`
  }

  #map(written: AvroType, values: AvroType): Code {
    const [map, key] = [this.scope.name('map'), this.scope.name('key')]
    const add = code`const ${key} = ${this.#call(readString)}; ${map}.set(${key}, ${this.#read(written, values)});`
    const loop = blocks(this.scope, this.#cursor, minimumSize(written) + 1, code`0`, add)
    return code`const ${map} = new Map(); ${loop} return ${map};`
  }

  #record(writer: RecordType, reader: RecordType): Code {
    const { enter, leave } = this.counted(writer)
    const variables = new Map(
      reader.fields.map((field) => [writtenField(field, writer)?.name, { field, variable: this.scope.name('field') }]),
    )
    const steps = writer.fields.map((written) => {
      const taken = variables.get(written.name)
      if (taken === undefined) return code`${this.#call(compileSkip(written.type))};`
      return code`const ${taken.variable} = ${this.#read(written.type, taken.field.type)};`
    })
    const members = reader.fields.map((field): [string, Code] => {
      const written = writtenField(field, writer)
      return [
        field.name,
        written === undefined ? defaultCode(this.scope, field) : variables.get(written.name)!.variable,
      ]
    })
    const record = this.scope.name('record')
    return code`${enter} ${steps} const ${record} = ${objectLiteral(members)}; ${leave} return ${record};`
  }
}
