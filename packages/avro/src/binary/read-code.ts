// Avro's binary to values, as generated code: a type goes in, a fast function comes out that reads what `read.ts` reads.
import { Branch } from '../branch.ts'
import { type Code, code, objectLiteral, type Scope } from '../code.ts'
import { Generator } from '../generator.ts'
import { branchName, isPlainUnion } from '../schema/union.ts'
import type { AvroType, RecordType, UnionType } from '../type.ts'
import { readBlock, readFixed, readIndex, readString } from './cursor.ts'
import { minimumSize } from './minimum.ts'
import { READ_PRIMITIVE, type Read } from './read.ts'

export function generateRead(type: AvroType): Read {
  return new ReadGenerator(type).generate(type)
}

class ReadGenerator extends Generator {
  readonly #cursor = this.scope.name('cursor')

  generate(type: AvroType): Read {
    return this.compile(() => code`return ${this.#read(type)};`)
  }

  protected override parameters(): Code {
    return this.#cursor
  }

  /** An expression that reads a value. */
  #read(type: AvroType): Code {
    switch (type.kind) {
      case 'null':
        return code`null`
      case 'array':
      case 'map':
      case 'record':
      case 'union':
        return code`${this.functionFor(type)}(${this.#cursor})`
      case 'enum':
        return code`${this.scope.constant(type.symbols)}[${this.#index(type.symbols.length)}]`
      case 'fixed':
        return code`${this.scope.constant(readFixed, 'read')}(${this.#cursor}, ${type.size})`
      default:
        return code`${this.scope.constant(READ_PRIMITIVE[type.kind], 'read')}(${this.#cursor})`
    }
  }

  #index(count: number): Code {
    return code`${this.scope.constant(readIndex, 'read')}(${this.#cursor}, ${count}, '')`
  }

  protected override array(items: AvroType): Code {
    const array = this.scope.name('array')
    const add = code`${array}.push(${this.#read(items)});`
    return code`const ${array} = []; ${blocks(this.scope, this.#cursor, minimumSize(items), code`${array}.length`, add)} return ${array};`
  }

  protected override map(values: AvroType): Code {
    const [map, key] = [this.scope.name('map'), this.scope.name('key')]
    const add = code`
      const ${key} = ${this.scope.constant(readString, 'read')}(${this.#cursor});
      ${map}.set(${key}, ${this.#read(values)});`
    return code`const ${map} = new Map(); ${blocks(this.scope, this.#cursor, minimumSize(values) + 1, code`0`, add)} return ${map};`
  }

  protected override record(type: RecordType): Code {
    const record = this.scope.name('record')
    const { enter, leave } = this.counted(type)
    // A literal's members are evaluated in the order they are written, which is the order of the bytes.
    const literal = objectLiteral(type.fields.map((field) => [field.name, this.#read(field.type)]))
    return code`${enter} const ${record} = ${literal}; ${leave} return ${record};`
  }

  protected override union(type: UnionType): Code {
    const plain = isPlainUnion(type)
    const cases = type.branches.map((branch, index) => {
      const value = this.#read(branch)
      const result = plain ? value : code`new ${this.scope.constant(Branch)}(${branchName(branch)}, ${value})`
      return code`case ${index}: return ${result};`
    })
    return code`switch (${this.#index(type.branches.length)}) { ${cases} }`
  }
}

/** A loop over the blocks of an array or map, with the statements that add one item. */
export function blocks(scope: Scope, cursor: Code, minimum: number, already: Code, add: Code): Code {
  const count = scope.name('count')
  const next = code`${scope.constant(readBlock, 'read')}(${cursor}, ${minimum}, ${already})`
  return code`for (let ${count} = ${next}; ${count} > 0; ${count} = ${next}) { for (; ${count} > 0; ${count}--) { ${add} } }`
}
