// Values of our own, as generated code: a type goes in, a fast test comes out that is true for what `check.ts` lets pass.
import { Branch } from '../branch.ts'
import { type Code, code, join } from '../code.ts'
import { Generator, recordsLast } from '../generator.ts'
import { branchName, isPlainUnion, type Shape, shapeOf } from '../schema/union.ts'
import type { AvroType, RecordType, UnionType } from '../type.ts'
import { isSymbol } from './convert-code.ts'
import { isLong } from './number.ts'

export function generateCheck(type: AvroType): (value: unknown) => boolean {
  return new CheckGenerator(type).generate(type)
}

/** How a value of a plain union shows its branch. A bigint is a number here, and what is no other object is a record. */
export const SHAPE_TESTS: Readonly<Record<Shape, (value: Code) => Code>> = {
  null: (value) => code`${value} === null`,
  boolean: (value) => code`typeof ${value} === 'boolean'`,
  number: (value) => code`(typeof ${value} === 'number' || typeof ${value} === 'bigint')`,
  string: (value) => code`typeof ${value} === 'string'`,
  bytes: (value) => code`${value} instanceof Uint8Array`,
  array: (value) => code`Array.isArray(${value})`,
  map: (value) => code`${value} instanceof Map`,
  record: (value) => code`typeof ${value} === 'object'`,
}

class CheckGenerator extends Generator {
  generate(type: AvroType): (value: unknown) => boolean {
    return this.compile((value) => code`return ${this.#test(type, value)};`)
  }

  /** An expression that is true when the variable holds a value of the type. */
  #test(type: AvroType, variable: Code): Code {
    switch (type.kind) {
      case 'null':
        return code`${variable} === null`
      case 'boolean':
        return code`typeof ${variable} === 'boolean'`
      case 'int':
        return code`(typeof ${variable} === 'number' && (${variable} | 0) === ${variable})`
      case 'long':
        return code`(Number.isSafeInteger(${variable}) || ${this.scope.constant(isLong)}(${variable}))`
      case 'float':
        return code`(typeof ${variable} === 'number' && Object.is(Math.fround(${variable}), ${variable}))`
      case 'double':
        return code`typeof ${variable} === 'number'`
      case 'string':
        return code`(typeof ${variable} === 'string' && ${variable}.isWellFormed())`
      case 'bytes':
        return code`${variable} instanceof Uint8Array`
      case 'fixed':
        return code`(${variable} instanceof Uint8Array && ${variable}.length === ${type.size})`
      case 'enum':
        return code`(${isSymbol(this.scope, type.symbols, variable)})`
      default:
        return code`${this.functionFor(type)}(${variable})`
    }
  }

  protected override array(items: AvroType, value: Code): Code {
    const [index, item] = [this.scope.name(), this.scope.name()]
    return code`
      if (!Array.isArray(${value})) return false;
      for (let ${index} = 0; ${index} < ${value}.length; ${index}++) {
        const ${item} = ${value}[${index}];
        if (!(${this.#test(items, item)})) return false;
      }
      return true;`
  }

  protected override map(values: AvroType, value: Code): Code {
    const [key, item] = [this.scope.name(), this.scope.name()]
    return code`
      if (!(${value} instanceof Map)) return false;
      for (const [${key}, ${item}] of ${value}) {
        if (typeof ${key} !== 'string' || !${key}.isWellFormed() || !(${this.#test(values, item)})) return false;
      }
      return true;`
  }

  protected override record(type: RecordType, value: Code): Code {
    const count = this.scope.name('count')
    const { enter, leave } = this.counted(type, code`return false;`)
    const tests = type.fields.map((field) => {
      const variable = this.scope.name('field')
      const own = field.name in Object.prototype ? code`Object.hasOwn(${value}, ${field.name}) && ` : code``
      const test = this.#test(field.type, variable)
      return code`const ${variable} = ${value}[${field.name}]; if (!(${own}${test})) return false;`
    })
    return code`
      if (typeof ${value} !== 'object' || ${value} === null || Array.isArray(${value})
        || ${value} instanceof Map || ${value} instanceof Uint8Array) return false;
      ${enter}
      ${tests}
      let ${count} = 0;
      for (const ${this.scope.name()} in ${value}) ${count}++;
      ${leave}
      return ${count} === ${type.fields.length};`
  }

  protected override union(type: UnionType, value: Code): Code {
    if (!isPlainUnion(type)) return this.#branches(type, value)
    const tests = recordsLast(type).map(
      ({ branch }) => code`if (${SHAPE_TESTS[shapeOf(branch)](value)}) return ${this.#test(branch, value)};`,
    )
    return code`${tests} return false;`
  }

  #branches(type: UnionType, value: Code): Code {
    const inner = this.scope.name()
    const tests = type.branches.map(
      (branch) => code`(${value}.type === ${branchName(branch)} && ${this.#test(branch, inner)})`,
    )
    return code`
      if (!(${value} instanceof ${this.scope.constant(Branch)})) return false;
      const ${inner} = ${value}.value;
      return ${join(tests, code` || `)};`
  }
}
