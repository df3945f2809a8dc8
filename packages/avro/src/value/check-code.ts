// Values of our own, as generated code: a type goes in, a fast test comes out that is true for what `check.ts` lets pass.
import { Branch } from '../branch.ts'
import { type Code, code, evaluate, join, Scope } from '../code.ts'
import { branchName, isPlainUnion, type Shape, shapeOf } from '../schema/union.ts'
import { recursiveRecords } from '../schema/walk.ts'
import type { AvroType, RecordType, UnionType } from '../type.ts'
import { MAXIMUM_DEPTH } from './convert.ts'
import { isSymbol } from './convert-code.ts'
import { isLong } from './number.ts'

export function generateCheck(type: AvroType): (value: unknown) => boolean {
  const generator = new Generator(type)
  const value = generator.scope.name('value')
  const check = code`(${value}) => { ${generator.depth} = 0; return ${generator.test(type, value)}; }`
  return evaluate(
    code`(() => { let ${generator.depth} = 0; ${generator.functions} return ${check}; })()`,
    generator.scope,
  )
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

class Generator {
  readonly scope = new Scope()
  readonly functions: Code[] = []
  readonly depth = this.scope.name('depth')
  readonly #recursive: ReadonlySet<RecordType>
  readonly #names = new Map<AvroType, Code>()

  constructor(type: AvroType) {
    this.#recursive = recursiveRecords(type)
  }

  /** An expression that is true when the variable holds a value of the type. */
  test(type: AvroType, variable: Code): Code {
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
        return code`${this.#functionFor(type)}(${variable})`
    }
  }

  #functionFor(type: AvroType): Code {
    let name = this.#names.get(type)
    if (name === undefined) {
      name = this.scope.name(type.kind)
      this.#names.set(type, name)
      const value = this.scope.name('value')
      this.functions.push(code`function ${name}(${value}) { ${this.#body(type, value)} }`)
    }
    return name
  }

  #body(type: AvroType, value: Code): Code {
    const [key, item] = [this.scope.name(), this.scope.name()]
    switch (type.kind) {
      case 'array':
        return code`
          if (!Array.isArray(${value})) return false;
          for (let ${key} = 0; ${key} < ${value}.length; ${key}++) {
            const ${item} = ${value}[${key}];
            if (!(${this.test(type.items, item)})) return false;
          }
          return true;`
      case 'map':
        return code`
          if (!(${value} instanceof Map)) return false;
          for (const [${key}, ${item}] of ${value}) {
            if (typeof ${key} !== 'string' || !${key}.isWellFormed() || !(${this.test(type.values, item)})) return false;
          }
          return true;`
      case 'record':
        return this.#record(type, value)
      case 'union':
        return isPlainUnion(type) ? this.#plainUnion(type, value) : this.#branches(type, value)
      default:
        throw new TypeError(`${type.kind} needs no function`)
    }
  }

  #record(type: RecordType, value: Code): Code {
    const count = this.scope.name('count')
    const counted = this.#recursive.has(type)
    const tests = type.fields.map((field) => {
      const variable = this.scope.name('field')
      const own = field.name in Object.prototype ? code`Object.hasOwn(${value}, ${field.name}) && ` : code``
      const test = this.test(field.type, variable)
      return code`const ${variable} = ${value}[${field.name}]; if (!(${own}${test})) return false;`
    })
    return code`
      if (typeof ${value} !== 'object' || ${value} === null || Array.isArray(${value})
        || ${value} instanceof Map || ${value} instanceof Uint8Array) return false;
      ${counted ? code`if (++${this.depth} > ${MAXIMUM_DEPTH}) return false;` : code``}
      ${tests}
      let ${count} = 0;
      for (const ${this.scope.name()} in ${value}) ${count}++;
      ${counted ? code`${this.depth}--;` : code``}
      return ${count} === ${type.fields.length};`
  }

  #plainUnion(type: UnionType, value: Code): Code {
    // Records last: their test takes any object.
    const branches = type.branches.toSorted((a, b) => Number(a.kind === 'record') - Number(b.kind === 'record'))
    const tests = branches.map(
      (branch) => code`if (${SHAPE_TESTS[shapeOf(branch)](value)}) return ${this.test(branch, value)};`,
    )
    return code`${tests} return false;`
  }

  #branches(type: UnionType, value: Code): Code {
    const inner = this.scope.name()
    const tests = type.branches.map(
      (branch) => code`(${value}.type === ${branchName(branch)} && ${this.test(branch, inner)})`,
    )
    return code`
      if (!(${value} instanceof ${this.scope.constant(Branch)})) return false;
      const ${inner} = ${value}.value;
      return ${join(tests, code` || `)};`
  }
}
