// Values to plain JSON values, as generated code: a type goes in, a fast function comes out that does what `plain.ts` does.
//
// It looks at each value no more than it must to make valid JSON of the type, and throws when it cannot. It does not look
// for halves of surrogate pairs: those show in the text that JSON.stringify makes.
import { Branch } from '../branch.ts'
import { type Code, code, evaluate, objectLiteral, Scope } from '../code.ts'
import { branchName, isPlainUnion, shapeOf } from '../schema/union.ts'
import { recursiveRecords } from '../schema/walk.ts'
import type { AvroType, RecordType, UnionType } from '../type.ts'
import { SHAPE_TESTS } from '../value/check-code.ts'
import { MAXIMUM_DEPTH, setField } from '../value/convert.ts'
import { isSymbol } from '../value/convert-code.ts'
import { textOf } from '../value/latin1.ts'
import { isLong } from '../value/number.ts'
import { UNSURE } from '../value/refusal.ts'
import { plainDouble, plainLong } from './plain.ts'

export function generatePlain(type: AvroType): (value: unknown) => unknown {
  const generator = new Generator(type)
  const value = generator.scope.name('value')
  const plain = code`(${value}) => { ${generator.depth} = 0; return ${generator.plain(type, value)}; }`
  return evaluate(
    code`(() => { let ${generator.depth} = 0; ${generator.functions} return ${plain}; })()`,
    generator.scope,
  )
}

class Generator {
  readonly scope = new Scope()
  readonly functions: Code[] = []
  readonly depth = this.scope.name('depth')
  readonly #recursive: ReadonlySet<RecordType>
  readonly #names = new Map<AvroType, Code>()
  readonly #refuse = code`throw ${this.scope.constant(UNSURE, 'unsure')};`

  constructor(type: AvroType) {
    this.#recursive = recursiveRecords(type)
  }

  /** An expression whose value is the plain JSON value of what the variable holds. */
  plain(type: AvroType, value: Code): Code {
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
        return code`${this.#functionFor(type)}(${value})`
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
    switch (type.kind) {
      case 'array':
        return this.#array(type.items, value)
      case 'map':
        return this.#map(type.values, value)
      case 'record':
        return this.#record(type, value)
      case 'union':
        return isPlainUnion(type) ? this.#plainUnion(type, value) : this.#branches(type, value)
      default:
        throw new TypeError(`${type.kind} needs no function`)
    }
  }

  #array(items: AvroType, value: Code): Code {
    const [index, item, copy] = [this.scope.name(), this.scope.name(), this.scope.name()]
    return code`
      if (!Array.isArray(${value})) ${this.#refuse}
      const ${copy} = [];
      for (let ${index} = 0; ${index} < ${value}.length; ${index}++) {
        const ${item} = ${value}[${index}];
        ${copy}.push(${this.plain(items, item)});
      }
      return ${copy};`
  }

  #map(values: AvroType, value: Code): Code {
    const [key, item, object] = [this.scope.name(), this.scope.name(), this.scope.name()]
    return code`
      if (!(${value} instanceof Map)) ${this.#refuse}
      const ${object} = {};
      for (const [${key}, ${item}] of ${value}) {
        if (typeof ${key} !== 'string') ${this.#refuse}
        ${this.scope.constant(setField)}(${object}, ${key}, ${this.plain(values, item)});
      }
      return ${object};`
  }

  /** A new object always: its keys are in the order of the schema, and there are no others. */
  #record(type: RecordType, value: Code): Code {
    const counted = this.#recursive.has(type)
    const object = this.scope.name('object')
    const fields = type.fields.map((field) => ({ field, variable: this.scope.name('field') }))
    const literal = objectLiteral(fields.map(({ field, variable }) => [field.name, this.plain(field.type, variable)]))
    return code`
      if (typeof ${value} !== 'object' || ${value} === null) ${this.#refuse}
      ${counted ? code`if (++${this.depth} > ${MAXIMUM_DEPTH}) ${this.#refuse}` : code``}
      ${fields.map(({ field, variable }) => code`const ${variable} = ${value}[${field.name}];`)}
      const ${object} = ${literal};
      ${counted ? code`${this.depth}--;` : code``}
      return ${object};`
  }

  #plainUnion(type: UnionType, value: Code): Code {
    // Records last: their test takes any object.
    const branches = type.branches.toSorted((a, b) => Number(a.kind === 'record') - Number(b.kind === 'record'))
    const results = branches.map(
      (branch) => code`if (${SHAPE_TESTS[shapeOf(branch)](value)}) ${this.#tagged(branch, value)}`,
    )
    return code`${results} ${this.#refuse}`
  }

  #branches(type: UnionType, value: Code): Code {
    const inner = this.scope.name()
    const results = type.branches.map(
      (branch) => code`if (${value}.type === ${branchName(branch)}) ${this.#tagged(branch, inner)}`,
    )
    return code`
      if (!(${value} instanceof ${this.scope.constant(Branch)})) ${this.#refuse}
      const ${inner} = ${value}.value;
      ${results} ${this.#refuse}`
  }

  #tagged(branch: AvroType, value: Code): Code {
    if (branch.kind === 'null') return code`return ${this.plain(branch, value)};`
    return code`return ${objectLiteral([[branchName(branch), this.plain(branch, value)]])};`
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
