// Values to JSON text, as generated code: a type goes in, a fast function comes out that writes what `write.ts` writes.
//
// It looks at each value no more than it must to write valid JSON of the type, and throws when it cannot.
import { Branch } from '../branch.ts'
import { type Code, code, evaluate, Scope } from '../code.ts'
import { branchName, isPlainUnion, shapeOf } from '../schema/union.ts'
import { recursiveRecords } from '../schema/walk.ts'
import type { AvroType, RecordType, UnionType } from '../type.ts'
import { SHAPE_TESTS } from '../value/check-code.ts'
import { MAXIMUM_DEPTH } from '../value/convert.ts'
import { isSymbol } from '../value/convert-code.ts'
import { textOf } from '../value/latin1.ts'
import { isLong } from '../value/number.ts'
import { UNSURE } from '../value/refusal.ts'
import { doubleText, stringText } from './text.ts'

export function generateWrite(type: AvroType): (value: unknown) => string {
  const generator = new Generator(type)
  const value = generator.scope.name('value')
  const write = code`(${value}) => { ${generator.depth} = 0; return ${generator.text(type, value)}; }`
  return evaluate(
    code`(() => { let ${generator.depth} = 0; ${generator.functions} return ${write}; })()`,
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

  /** An expression whose value is the JSON text of what the variable holds. */
  text(type: AvroType, value: Code): Code {
    const otherwise = code`${this.scope.constant(refuse, 'refuse')}()`
    const write = (writer: (value: never) => string) => code`${this.scope.constant(writer, 'write')}(${value})`
    switch (type.kind) {
      case 'null':
        return code`(${value} === null ? 'null' : ${otherwise})`
      case 'boolean':
        return code`(${value} === true ? 'true' : ${value} === false ? 'false' : ${otherwise})`
      case 'int':
        return code`((${value} | 0) === ${value} ? '' + ${value} : ${otherwise})`
      case 'long':
        return code`(Number.isSafeInteger(${value}) || ${this.scope.constant(isLong)}(${value}) ? '' + ${value} : ${otherwise})`
      case 'float':
      case 'double':
        return code`(typeof ${value} === 'number' ? ${write(doubleText)} : ${otherwise})`
      case 'string':
        return code`(typeof ${value} === 'string' ? ${write(stringText)} : ${otherwise})`
      case 'enum':
        // A symbol is a name: nothing in it needs escaping.
        return code`(${isSymbol(this.scope, type.symbols, value)} ? '"' + ${value} + '"' : ${otherwise})`
      case 'bytes':
        return code`(${value} instanceof Uint8Array ? ${write(bytesText)} : ${otherwise})`
      case 'fixed':
        return code`(${value} instanceof Uint8Array && ${value}.length === ${type.size} ? ${write(bytesText)} : ${otherwise})`
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
    const [text, key, item] = [this.scope.name('text'), this.scope.name(), this.scope.name()]
    switch (type.kind) {
      case 'array':
        return code`
          if (!Array.isArray(${value})) ${this.#refuse}
          let ${text} = '[';
          for (let ${key} = 0; ${key} < ${value}.length; ${key}++) {
            const ${item} = ${value}[${key}];
            if (${key} !== 0) ${text} += ',';
            ${text} += ${this.text(type.items, item)};
          }
          return ${text} + ']';`
      case 'map':
        return code`
          if (!(${value} instanceof Map)) ${this.#refuse}
          let ${text} = '';
          for (const [${key}, ${item}] of ${value}) {
            if (${text} !== '') ${text} += ',';
            ${text} += ${this.text({ kind: 'string' }, key)} + ':' + ${this.text(type.values, item)};
          }
          return '{' + ${text} + '}';`
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
    const text = this.scope.name('text')
    const fields = type.fields.map((field, index) => {
      const variable = this.scope.name('field')
      const written = this.text(field.type, variable)
      const key = `${index === 0 ? '' : ','}${JSON.stringify(field.name)}:`
      return { read: code`const ${variable} = ${value}[${field.name}];`, write: code` + ${key} + ${written}` }
    })
    return code`
      if (typeof ${value} !== 'object' || ${value} === null) ${this.#refuse}
      ${counted ? code`if (++${this.depth} > ${MAXIMUM_DEPTH}) ${this.#refuse}` : code``}
      ${fields.map((field) => field.read)}
      const ${text} = '{'${fields.map((field) => field.write)} + '}';
      ${counted ? code`${this.depth}--;` : code``}
      return ${text};`
  }

  #plainUnion(type: UnionType, value: Code): Code {
    const branches = type.branches.toSorted((a, b) => Number(a.kind === 'record') - Number(b.kind === 'record'))
    const writes = branches.map(
      (branch) => code`if (${SHAPE_TESTS[shapeOf(branch)](value)}) ${this.#tagged(branch, value)}`,
    )
    return code`${writes} ${this.#refuse}`
  }

  #branches(type: UnionType, value: Code): Code {
    const inner = this.scope.name()
    const writes = type.branches.map(
      (branch) => code`if (${value}.type === ${branchName(branch)}) ${this.#tagged(branch, inner)}`,
    )
    return code`
      if (!(${value} instanceof ${this.scope.constant(Branch)})) ${this.#refuse}
      const ${inner} = ${value}.value;
      ${writes} ${this.#refuse}`
  }

  #tagged(branch: AvroType, value: Code): Code {
    if (branch.kind === 'null') return code`return 'null';`
    return code`return ${`{${JSON.stringify(branchName(branch))}:`} + ${this.text(branch, value)} + '}';`
  }
}

function refuse(): never {
  throw UNSURE
}

function bytesText(bytes: Uint8Array): string {
  return JSON.stringify(textOf(bytes))
}
