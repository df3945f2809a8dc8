// Avro's binary to values, as generated code: a type goes in, a fast function comes out that reads what `read.ts` reads.
import { Branch } from '../branch.ts'
import { type Code, code, evaluate, objectLiteral, Scope } from '../code.ts'
import { branchName, isPlainUnion } from '../schema/union.ts'
import { recursiveRecords } from '../schema/walk.ts'
import type { AvroType, RecordType, UnionType } from '../type.ts'
import { MAXIMUM_DEPTH } from '../value/convert.ts'
import { UNSURE } from '../value/refusal.ts'
import { readBlock, readFixed, readIndex, readString } from './cursor.ts'
import { minimumSize } from './minimum.ts'
import { READ_PRIMITIVE, type Read } from './read.ts'

export function generateRead(type: AvroType): Read {
  const generator = new Generator(type)
  const { scope, cursor, depth } = generator
  const read = code`(${cursor}) => { ${depth} = 0; return ${generator.read(type)}; }`
  return evaluate(code`(() => { let ${depth} = 0; ${generator.functions} return ${read}; })()`, scope)
}

class Generator {
  readonly scope = new Scope()
  readonly functions: Code[] = []
  readonly depth = this.scope.name('depth')
  /** The one parameter of every function. */
  readonly cursor = this.scope.name('cursor')
  readonly #recursive: ReadonlySet<RecordType>
  readonly #names = new Map<AvroType, Code>()

  constructor(type: AvroType) {
    this.#recursive = recursiveRecords(type)
  }

  /** An expression that reads a value. */
  read(type: AvroType): Code {
    switch (type.kind) {
      case 'null':
        return code`null`
      case 'array':
      case 'map':
      case 'record':
      case 'union':
        return code`${this.#functionFor(type)}(${this.cursor})`
      case 'enum':
        return code`${this.scope.constant(type.symbols)}[${this.#index(type.symbols.length)}]`
      case 'fixed':
        return code`${this.scope.constant(readFixed, 'read')}(${this.cursor}, ${type.size})`
      default:
        return code`${this.scope.constant(READ_PRIMITIVE[type.kind], 'read')}(${this.cursor})`
    }
  }

  #index(count: number): Code {
    return code`${this.scope.constant(readIndex, 'read')}(${this.cursor}, ${count}, '')`
  }

  #functionFor(type: AvroType): Code {
    let name = this.#names.get(type)
    if (name === undefined) {
      name = this.scope.name(type.kind)
      this.#names.set(type, name)
      this.functions.push(code`function ${name}(${this.cursor}) { ${this.#body(type)} }`)
    }
    return name
  }

  #body(type: AvroType): Code {
    switch (type.kind) {
      case 'array': {
        const array = this.scope.name('array')
        const add = code`${array}.push(${this.read(type.items)});`
        return code`const ${array} = []; ${this.#blocks(minimumSize(type.items), code`${array}.length`, add)} return ${array};`
      }
      case 'map': {
        const [map, key] = [this.scope.name('map'), this.scope.name('key')]
        const add = code`
          const ${key} = ${this.scope.constant(readString, 'read')}(${this.cursor});
          ${map}.set(${key}, ${this.read(type.values)});`
        return code`const ${map} = new Map(); ${this.#blocks(minimumSize(type.values) + 1, code`0`, add)} return ${map};`
      }
      case 'record':
        return this.#record(type)
      case 'union':
        return this.#union(type)
      default:
        throw new TypeError(`${type.kind} needs no function`)
    }
  }

  #blocks(minimum: number, already: Code, add: Code): Code {
    const count = this.scope.name('count')
    const next = code`${this.scope.constant(readBlock, 'read')}(${this.cursor}, ${minimum}, ${already})`
    return code`for (let ${count} = ${next}; ${count} > 0; ${count} = ${next}) { for (; ${count} > 0; ${count}--) { ${add} } }`
  }

  #record(type: RecordType): Code {
    // A literal's members are evaluated in the order they are written, which is the order of the bytes.
    const literal = objectLiteral(type.fields.map((field) => [field.name, this.read(field.type)]))
    if (!this.#recursive.has(type)) return code`return ${literal};`
    const record = this.scope.name('record')
    return code`
      if (++${this.depth} > ${MAXIMUM_DEPTH}) throw ${this.scope.constant(UNSURE)};
      const ${record} = ${literal};
      ${this.depth}--;
      return ${record};`
  }

  #union(type: UnionType): Code {
    const plain = isPlainUnion(type)
    const cases = type.branches.map((branch, index) => {
      const value = this.read(branch)
      const result = plain ? value : code`new ${this.scope.constant(Branch)}(${branchName(branch)}, ${value})`
      return code`case ${index}: return ${result};`
    })
    return code`switch (${this.#index(type.branches.length)}) { ${cases} }`
  }
}
