// Values to plain JSON values, as generated code: a type goes in, a fast function comes out that does what `plain.ts` does.
//
// It looks at each value no more than it must to make valid JSON of the type, and throws when it cannot. It does not look
// for halves of surrogate pairs: those show in the text that JSON.stringify makes.
import { Branch } from '../branch.ts'
import { type Code, code, objectLiteral } from '../code.ts'
import { Generator, recordsLast } from '../generator.ts'
import { branchName, isPlainUnion, shapeOf } from '../schema/union.ts'
import type { AvroType, RecordType, UnionType } from '../type.ts'
import { SHAPE_TESTS } from '../value/check-code.ts'
import { setField } from '../value/convert.ts'
import { isSymbol } from '../value/convert-code.ts'
import { textOf } from '../value/latin1.ts'
import { isLong } from '../value/number.ts'
import { UNSURE } from '../value/refusal.ts'
import { plainDouble, plainLong } from './plain.ts'

export function generatePlain(type: AvroType): (value: unknown) => unknown {
  return new PlainGenerator(type).generate(type)
}

class PlainGenerator extends Generator {
  generate(type: AvroType): (value: unknown) => unknown {
    return this.compile((value) => code`return ${this.#plain(type, value)};`)
  }

  /** An expression whose value is the plain JSON value of what the variable holds. */
  #plain(type: AvroType, value: Code): Code {
    const when = (test: Code, result: Code = value) =>
      code`(${test} ? ${result} : ${this.scope.constant(refuse, 'refuse')}())`
    const call = (helper: (value: never) => unknown) => code`${this.scope.constant(helper, 'plain')}(${value})`
    switch (type.kind) {
      case 'null':
        return when(code`${value} === null`)
      case 'boolean':
        return when(code`typeof ${value} === 'boolean'`)
      case 'int':
        return when(code`(${value} | 0) === ${value}`)
      case 'long':
        return code`(Number.isSafeInteger(${value}) ? ${value} : ${call(otherLong)})`
      case 'float':
      case 'double':
        // True for finite numbers other than zero: the difference is NaN for everything that is no such number.
        return code`(${value} - ${value} === 0 && typeof ${value} === 'number' && ${value} !== 0 ? ${value} : ${call(otherDouble)})`
      case 'string':
        return when(code`typeof ${value} === 'string'`)
      case 'enum':
        return when(isSymbol(this.scope, type.symbols, value))
      case 'bytes':
        return when(code`${value} instanceof Uint8Array`, call(textOf))
      case 'fixed':
        return when(code`${value} instanceof Uint8Array && ${value}.length === ${type.size}`, call(textOf))
      default:
        return code`${this.functionFor(type)}(${value})`
    }
  }

  protected override array(items: AvroType, value: Code): Code {
    const [index, item, copy] = [this.scope.name(), this.scope.name(), this.scope.name()]
    return code`
      if (!Array.isArray(${value})) ${this.refuse}
      const ${copy} = [];
      for (let ${index} = 0; ${index} < ${value}.length; ${index}++) {
        const ${item} = ${value}[${index}];
        ${copy}.push(${this.#plain(items, item)});
      }
      return ${copy};`
  }

  protected override map(values: AvroType, value: Code): Code {
    const [key, item, object] = [this.scope.name(), this.scope.name(), this.scope.name()]
    return code`
      if (!(${value} instanceof Map)) ${this.refuse}
      const ${object} = {};
      for (const [${key}, ${item}] of ${value}) {
        if (typeof ${key} !== 'string') ${this.refuse}
        ${this.scope.constant(setField)}(${object}, ${key}, ${this.#plain(values, item)});
      }
      return ${object};`
  }

  /** A new object always: its keys are in the order of the schema, and there are no others. */
  protected override record(type: RecordType, value: Code): Code {
    const { enter, leave } = this.counted(type)
    const object = this.scope.name('object')
    const fields = type.fields.map((field) => ({ field, variable: this.scope.name('field') }))
    const literal = objectLiteral(fields.map(({ field, variable }) => [field.name, this.#plain(field.type, variable)]))
    return code`
      if (typeof ${value} !== 'object' || ${value} === null) ${this.refuse}
      ${enter}
      ${fields.map(({ field, variable }) => code`const ${variable} = ${value}[${field.name}];`)}
      const ${object} = ${literal};
      ${leave}
      return ${object};`
  }

  protected override union(type: UnionType, value: Code): Code {
    if (!isPlainUnion(type)) return this.#branches(type, value)
    const results = recordsLast(type).map(
      ({ branch }) => code`if (${SHAPE_TESTS[shapeOf(branch)](value)}) ${this.#tagged(branch, value)}`,
    )
    return code`${results} ${this.refuse}`
  }

  #branches(type: UnionType, value: Code): Code {
    const inner = this.scope.name()
    const results = type.branches.map(
      (branch) => code`if (${value}.type === ${branchName(branch)}) ${this.#tagged(branch, inner)}`,
    )
    return code`
      if (!(${value} instanceof ${this.scope.constant(Branch)})) ${this.refuse}
      const ${inner} = ${value}.value;
      ${results} ${this.refuse}`
  }

  #tagged(branch: AvroType, value: Code): Code {
    if (branch.kind === 'null') return code`return ${this.#plain(branch, value)};`
    return code`return ${objectLiteral([[branchName(branch), this.#plain(branch, value)]])};`
  }
}

function refuse(): never {
  throw UNSURE
}

function otherLong(value: unknown): unknown {
  return isLong(value) ? plainLong(value as bigint) : refuse()
}

function otherDouble(value: unknown): unknown {
  return typeof value === 'number' ? plainDouble(value) : refuse()
}
