// Values to Avro's binary, as generated code: a type goes in, a fast function comes out that writes what `write.ts` writes.
//
// It looks at each value no more than it must to write valid binary of the type, and throws when it cannot.
import { Branch } from '../branch.ts'
import { type Code, code, evaluate, Scope } from '../code.ts'
import { branchName, isPlainUnion, shapeOf } from '../schema/union.ts'
import { recursiveRecords } from '../schema/walk.ts'
import type { AvroType, RecordType, UnionType } from '../type.ts'
import { SHAPE_TESTS } from '../value/check-code.ts'
import { MAXIMUM_DEPTH } from '../value/convert.ts'
import { UNSURE } from '../value/refusal.ts'
import { writeFixed, writeInt, writeLong, writeString } from './sink.ts'
import { WRITE_PRIMITIVE, type Write } from './write.ts'

export function generateWrite(type: AvroType): Write {
  const generator = new Generator(type)
  const { scope, sink, depth } = generator
  const value = scope.name('value')
  const write = code`(${sink}, ${value}) => { ${depth} = 0; ${generator.write(type, value)} }`
  return evaluate(code`(() => { let ${depth} = 0; ${generator.functions} return ${write}; })()`, scope)
}

class Generator {
  readonly scope = new Scope()
  readonly functions: Code[] = []
  readonly depth = this.scope.name('depth')
  readonly sink = this.scope.name('sink')
  readonly #recursive: ReadonlySet<RecordType>
  readonly #names = new Map<AvroType, Code>()
  readonly #refuse = code`throw ${this.scope.constant(UNSURE, 'unsure')};`

  constructor(type: AvroType) {
    this.#recursive = recursiveRecords(type)
  }

  /** Statements that write what the variable holds. */
  write(type: AvroType, value: Code): Code {
    switch (type.kind) {
      case 'null':
        return code`if (${value} !== null) ${this.#refuse}`
      case 'array':
      case 'map':
      case 'record':
      case 'union':
        return code`${this.#functionFor(type)}(${this.sink}, ${value});`
      case 'enum': {
        const indexes = this.scope.constant(new Map(type.symbols.map((symbol, index) => [symbol, index])), 'symbols')
        return this.#call(writeInt, code`${indexes}.get(${value})`)
      }
      case 'fixed':
        return this.#call(writeFixed, code`${value}, ${type.size}`)
      default:
        return this.#call(WRITE_PRIMITIVE[type.kind], value)
    }
  }

  #call(writer: (...args: never[]) => void, parameters: Code): Code {
    return code`${this.scope.constant(writer, 'write')}(${this.sink}, ${parameters});`
  }

  #functionFor(type: AvroType): Code {
    let name = this.#names.get(type)
    if (name === undefined) {
      name = this.scope.name(type.kind)
      this.#names.set(type, name)
      const value = this.scope.name('value')
      this.functions.push(code`function ${name}(${this.sink}, ${value}) { ${this.#body(type, value)} }`)
    }
    return name
  }

  #body(type: AvroType, value: Code): Code {
    const [key, item] = [this.scope.name(), this.scope.name()]
    switch (type.kind) {
      case 'array':
        return code`
          if (!Array.isArray(${value})) ${this.#refuse}
          if (${value}.length > 0) ${this.#call(writeLong, code`${value}.length`)}
          for (let ${key} = 0; ${key} < ${value}.length; ${key}++) {
            const ${item} = ${value}[${key}];
            ${this.write(type.items, item)}
          }
          ${this.#call(writeInt, code`0`)}`
      case 'map':
        return code`
          if (!(${value} instanceof Map)) ${this.#refuse}
          if (${value}.size > 0) ${this.#call(writeLong, code`${value}.size`)}
          for (const [${key}, ${item}] of ${value}) {
            ${this.#call(writeString, key)}
            ${this.write(type.values, item)}
          }
          ${this.#call(writeInt, code`0`)}`
      case 'record':
        return this.#record(type, value)
      case 'union':
        return isPlainUnion(type) ? this.#plainUnion(type, value) : this.#branches(type, value)
      default:
        throw new TypeError(`${type.kind} needs no function`)
    }
  }

  #record(type: RecordType, value: Code): Code {
    const counted = this.#recursive.has(type)
    const fields = type.fields.map((field) => {
      const variable = this.scope.name('field')
      return code`const ${variable} = ${value}[${field.name}]; ${this.write(field.type, variable)}`
    })
    return code`
      if (typeof ${value} !== 'object' || ${value} === null) ${this.#refuse}
      ${counted ? code`if (++${this.depth} > ${MAXIMUM_DEPTH}) ${this.#refuse}` : code``}
      ${fields}
      ${counted ? code`${this.depth}--;` : code``}`
  }

  #plainUnion(type: UnionType, value: Code): Code {
    // Records last: their test takes any object.
    const branches = type.branches
      .map((branch, index) => ({ branch, index }))
      .toSorted((a, b) => Number(a.branch.kind === 'record') - Number(b.branch.kind === 'record'))
    const writes = branches.map(
      ({ branch, index }) =>
        code`if (${SHAPE_TESTS[shapeOf(branch)](value)}) { ${this.#branch(branch, index, value)} }`,
    )
    return code`${writes} ${this.#refuse}`
  }

  #branches(type: UnionType, value: Code): Code {
    const inner = this.scope.name()
    const writes = type.branches.map(
      (branch, index) => code`if (${value}.type === ${branchName(branch)}) { ${this.#branch(branch, index, inner)} }`,
    )
    return code`
      if (!(${value} instanceof ${this.scope.constant(Branch)})) ${this.#refuse}
      const ${inner} = ${value}.value;
      ${writes} ${this.#refuse}`
  }

  #branch(branch: AvroType, index: number, value: Code): Code {
    return code`${this.#call(writeInt, code`${index}`)} ${this.write(branch, value)} return;`
  }
}
