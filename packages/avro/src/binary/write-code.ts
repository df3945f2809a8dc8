// Values to Avro's binary, as generated code: a type goes in, a fast function comes out that writes what `write.ts` writes.
//
// It looks at each value no more than it must to write valid binary of the type, and throws when it cannot.
import { Branch } from '../branch.ts'
import { type Code, code } from '../code.ts'
import { Generator, recordsLast } from '../generator.ts'
import { branchName, isPlainUnion, shapeOf } from '../schema/union.ts'
import type { AvroType, RecordType, UnionType } from '../type.ts'
import { SHAPE_TESTS } from '../value/check-code.ts'
import { writeFixed, writeInt, writeLong, writeString } from './sink.ts'
import { WRITE_PRIMITIVE, type Write } from './write.ts'

export function generateWrite(type: AvroType): Write {
  return new WriteGenerator(type).generate(type)
}

class WriteGenerator extends Generator {
  readonly #sink = this.scope.name('sink')

  generate(type: AvroType): Write {
    return this.compile((value) => this.#write(type, value))
  }

  protected override parameters(value: Code): Code {
    return code`${this.#sink}, ${value}`
  }

  /** Statements that write what the variable holds. */
  #write(type: AvroType, value: Code): Code {
    switch (type.kind) {
      case 'null':
        return code`if (${value} !== null) ${this.refuse}`
      case 'array':
      case 'map':
      case 'record':
      case 'union':
        return code`${this.functionFor(type)}(${this.#sink}, ${value});`
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
    return code`${this.scope.constant(writer, 'write')}(${this.#sink}, ${parameters});`
  }

  protected override array(items: AvroType, value: Code): Code {
    const [index, item] = [this.scope.name(), this.scope.name()]
    return code`
      if (!Array.isArray(${value})) ${this.refuse}
      if (${value}.length > 0) ${this.#call(writeLong, code`${value}.length`)}
      for (let ${index} = 0; ${index} < ${value}.length; ${index}++) {
        const ${item} = ${value}[${index}];
        ${this.#write(items, item)}
      }
      ${this.#call(writeInt, code`0`)}`
  }

  protected override map(values: AvroType, value: Code): Code {
    const [key, item] = [this.scope.name(), this.scope.name()]
    return code`
      if (!(${value} instanceof Map)) ${this.refuse}
      if (${value}.size > 0) ${this.#call(writeLong, code`${value}.size`)}
      for (const [${key}, ${item}] of ${value}) {
        ${this.#call(writeString, key)}
        ${this.#write(values, item)}
      }
      ${this.#call(writeInt, code`0`)}`
  }

  protected override record(type: RecordType, value: Code): Code {
    const { enter, leave } = this.counted(type)
    const fields = type.fields.map((field) => {
      const variable = this.scope.name('field')
      return code`const ${variable} = ${value}[${field.name}]; ${this.#write(field.type, variable)}`
    })
    return code`
      if (typeof ${value} !== 'object' || ${value} === null) ${this.refuse}
      ${enter}
      ${fields}
      ${leave}`
  }

  protected override union(type: UnionType, value: Code): Code {
    if (!isPlainUnion(type)) return this.#branches(type, value)
    const writes = recordsLast(type).map(
      ({ branch, index }) =>
        code`if (${SHAPE_TESTS[shapeOf(branch)](value)}) { ${this.#branch(branch, index, value)} }`,
    )
    return code`${writes} ${this.refuse}`
  }

  #branches(type: UnionType, value: Code): Code {
    const inner = this.scope.name()
    const writes = type.branches.map(
      (branch, index) => code`if (${value}.type === ${branchName(branch)}) { ${this.#branch(branch, index, inner)} }`,
    )
    return code`
      if (!(${value} instanceof ${this.scope.constant(Branch)})) ${this.refuse}
      const ${inner} = ${value}.value;
      ${writes} ${this.refuse}`
  }

  #branch(branch: AvroType, index: number, value: Code): Code {
    return code`${this.#call(writeInt, code`${index}`)} ${this.#write(branch, value)} return;`
  }
}
