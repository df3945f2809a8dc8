// Values from outside, as generated code: a type goes in, a fast function comes out that does what `convert.ts` does.
//
// The function throws whenever it is not sure, without saying why: its caller then asks `convert.ts`, which has the last word.
import { Branch } from '../branch.ts'
import { type Code, code, join, objectLiteral, type Scope } from '../code.ts'
import { Generator } from '../generator.ts'
import { branchName, isPlainUnion } from '../schema/union.ts'
import type { AvroType, Field, RecordType, UnionType } from '../type.ts'
import { candidatesFor, givenLook, type Look, onlyKey } from './candidates.ts'
import { type Convert, type InterpretOptions, interpretConvert } from './convert.ts'
import { bytesOf } from './latin1.ts'
import { toDouble, toLong } from './number.ts'
import { UNSURE } from './refusal.ts'

export function generateConvert(type: AvroType, options: InterpretOptions = {}): Convert {
  return new ConvertGenerator(type, options).generate(type)
}

/** The value that a conversion gives is the value it got, for these kinds always. */
const UNCHANGED: ReadonlySet<AvroType['kind']> = new Set(['null', 'boolean', 'string', 'enum'])

class ConvertGenerator extends Generator {
  readonly #options: InterpretOptions

  constructor(type: AvroType, options: InterpretOptions) {
    super(type, options.maximumDepth)
    this.#options = options
  }

  generate(type: AvroType): Convert {
    return this.compile((value) => code`${this.#convertInto(type, value)} return ${value};`)
  }

  /** Statements that replace what is in the variable by the converted value, or throw. */
  #convertInto(type: AvroType, variable: Code): Code {
    switch (type.kind) {
      case 'null':
        return code`if (${variable} !== null) ${this.refuse}`
      case 'boolean':
        return code`if (typeof ${variable} !== 'boolean') ${this.refuse}`
      case 'int':
        return code`if ((${variable} | 0) !== ${variable}) ${this.refuse} ${variable} = ${variable} | 0;`
      case 'long':
        return code`${variable} = Number.isSafeInteger(${variable}) ? ${variable} + 0 : ${this.#helper(anyLong)}(${variable});`
      case 'float':
        return code`${variable} = Math.fround(typeof ${variable} === 'number' ? ${variable} : ${this.#helper(anyDouble)}(${variable}));`
      case 'double':
        return code`if (typeof ${variable} !== 'number') ${variable} = ${this.#helper(anyDouble)}(${variable});`
      case 'string':
        return code`if (typeof ${variable} !== 'string' || !${variable}.isWellFormed()) ${this.refuse}`
      case 'enum':
        return code`if (!(${isSymbol(this.scope, type.symbols, variable)})) ${this.refuse}`
      case 'bytes':
        return code`${variable} = ${this.#helper(anyBytes)}(${variable}, -1);`
      case 'fixed':
        return code`${variable} = ${this.#helper(anyBytes)}(${variable}, ${type.size});`
      default:
        return code`${variable} = ${this.functionFor(type)}(${variable});`
    }
  }

  #helper(helper: (...args: never[]) => unknown): Code {
    return this.scope.constant(helper, 'any')
  }

  protected override array(items: AvroType, value: Code): Code {
    const [index, before, item, copy] = [this.scope.name(), this.scope.name(), this.scope.name(), this.scope.name()]
    const convert = this.#convertInto(items, item)
    let keep = code`${value}[${index}] = ${item};`
    if (UNCHANGED.has(items.kind)) keep = code``
    else if (!this.#options.owned) {
      keep = code`if (!Object.is(${item}, ${before})) {
        if (${copy} === ${value}) ${copy} = ${value}.slice();
        ${copy}[${index}] = ${item};
      }`
    }
    return code`
      if (!Array.isArray(${value})) ${this.refuse}
      let ${copy} = ${value};
      for (let ${index} = 0; ${index} < ${value}.length; ${index}++) {
        const ${before} = ${value}[${index}];
        let ${item} = ${before};
        ${convert}
        ${keep}
      }
      return ${copy};`
  }

  protected override map(values: AvroType, value: Code): Code {
    const [key, before, item, map, changed] = [1, 2, 3, 4, 5].map(() => this.scope.name()) as [
      Code,
      Code,
      Code,
      Code,
      Code,
    ]
    const convert = this.#convertInto(values, item)
    const watch = UNCHANGED.has(values.kind) ? code`` : code`if (!Object.is(${item}, ${before})) ${changed} = true;`
    return code`
      if (typeof ${value} !== 'object' || ${value} === null || Array.isArray(${value}) || ${value} instanceof Uint8Array) ${this.refuse}
      const ${map} = new Map();
      if (${value} instanceof Map) {
        let ${changed} = false;
        for (const [${key}, ${before}] of ${value}) {
          if (typeof ${key} !== 'string' || !${key}.isWellFormed()) ${this.refuse}
          let ${item} = ${before};
          ${convert}
          ${watch}
          ${map}.set(${key}, ${item});
        }
        return ${changed} ? ${map} : ${value};
      }
      for (const ${key} of Object.keys(${value})) {
        if (!${key}.isWellFormed()) ${this.refuse}
        let ${item} = ${value}[${key}];
        ${convert}
        ${map}.set(${key}, ${item});
      }
      if (${map}.size === 0) ${this.#helper(onlyObject)}(${value});
      return ${map};`
  }

  protected override record(type: RecordType, value: Code): Code {
    const { owned, extra } = this.#options
    const [missing, changed, count] = [this.scope.name('missing'), this.scope.name('changed'), this.scope.name('count')]
    const fields = type.fields.map((field) => ({ field, variable: this.scope.name('field') }))
    const { enter, leave } = this.counted(type)
    const canBeEmpty = type.fields.every((field) => 'default' in field)
    const literal = objectLiteral(fields.map(({ field, variable }) => [field.name, variable]))
    return code`
      if (typeof ${value} !== 'object' || ${value} === null || Array.isArray(${value})) ${this.refuse}
      ${enter}
      let ${missing} = 0, ${changed} = ${owned === true};
      ${fields.map(({ field, variable }) => this.#field(field, variable, value, missing, owned ? undefined : changed))}
      ${canBeEmpty ? code`if (${missing} === ${fields.length}) ${this.#helper(onlyObject)}(${value});` : code``}
      let ${count} = ${missing};
      for (const ${this.scope.name()} in ${value}) ${count}++;
      if (${count} !== ${fields.length}) ${extra === 'ignore' ? code`${changed} = true;` : this.refuse}
      ${leave}
      return ${owned ? literal : code`${changed} ? ${literal} : ${value}`};`
  }

  #field(field: Field, variable: Code, record: Code, missing: Code, changed: Code | undefined): Code {
    const convert = this.#convertInto(field.type, variable)
    const read = code`${record}[${field.name}]`
    // A key that every object inherits is only there when the object has it itself.
    const own =
      field.name in Object.prototype ? code`Object.hasOwn(${record}, ${field.name}) ? ${read} : undefined` : read
    const before = this.scope.name('before')
    const watched = changed !== undefined && !UNCHANGED.has(field.type.kind)
    const body = watched
      ? code`const ${before} = ${variable}; ${convert} if (!Object.is(${variable}, ${before})) ${changed} = true;`
      : convert
    if (!('default' in field)) return code`let ${variable} = ${own}; { ${body} }`
    const note = changed === undefined ? code`` : code`${changed} = true;`
    return code`let ${variable} = ${own};
      if (${variable} === undefined) { ${variable} = ${defaultCode(this.scope, field)}; ${missing}++; ${note} } else { ${body} }`
  }

  protected override union(type: UnionType, value: Code): Code {
    const plain = isPlainUnion(type)
    const give = (branch: AvroType, result: Code): Code =>
      plain
        ? code`return ${result};`
        : code`return new ${this.scope.constant(Branch)}(${branchName(branch)}, ${result});`
    const convertBranch = (branch: AvroType, from: Code): Code => {
      const variable = this.scope.name()
      return code`{ let ${variable} = ${from}; ${this.#convertInto(branch, variable)} ${give(branch, variable)} }`
    }
    // More than one branch could take a bare value of this look: only trying tells.
    const ambiguous = () => this.scope.constant(interpretConvert(type, { ...this.#options, owned: false }))
    const bare = (look: Look): Code => {
      const [branch, ...others] = candidatesFor(type, look)
      if (branch === undefined) return this.refuse
      return others.length === 0 ? convertBranch(branch, value) : code`return ${ambiguous()}(${value});`
    }
    const tag = this.scope.name('tag')
    const tagged = type.branches
      .filter((branch) => branch.kind !== 'null')
      .map((branch) => {
        const name = branchName(branch)
        return code`if (${tag} === ${name}) ${convertBranch(branch, code`${value}[${name}]`)}`
      })
    return code`
      if (${value} === null) ${bare('null')}
      ${(['number', 'string', 'boolean', 'bigint'] as const).map((look) => code`if (typeof ${value} === ${look}) ${bare(look)}`)}
      if (typeof ${value} !== 'object') ${this.refuse}
      if (Array.isArray(${value})) ${bare('array')}
      if (${value} instanceof Uint8Array) ${bare('bytes')}
      if (${value} instanceof Map) ${bare('map')}
      if (${value} instanceof ${this.scope.constant(Branch)}) return ${ambiguous()}(${value});
      const ${tag} = ${this.#helper(onlyKey)}(${value});
      if (${tag} !== undefined) { ${tagged} }
      ${bare('object')}`
  }
}

/** An expression for the default of a field; what can be changed is made anew each time. */
export function defaultCode(scope: Scope, field: Field): Code {
  const json = field.default
  const make = interpretConvert(field.type, { tags: false })
  if (typeof json === 'object' && json !== null) return code`${scope.constant(() => make(structuredClone(json)))}()`
  const value = make(json)
  return typeof value === 'object' ? scope.constant(value) : code`${value as string | number | bigint | boolean}`
}

/** A few symbols are compared one by one, many are looked up. */
export function isSymbol(scope: Scope, symbols: readonly string[], variable: Code): Code {
  if (symbols.length > 8) return code`${scope.constant(new Set(symbols), 'symbols')}.has(${variable})`
  return join(
    symbols.map((symbol) => code`${variable} === ${symbol}`),
    code` || `,
  )
}

/** A date or the like has nothing that a record or a map could be made of, and looks like an empty one. */
function onlyObject(value: unknown): void {
  if (givenLook(value) !== 'object') throw UNSURE
}

function anyLong(value: unknown): number | bigint {
  const long = toLong(value)
  if (long === undefined) throw UNSURE
  return long
}

function anyDouble(value: unknown): number {
  const double = toDouble(value)
  if (double === undefined) throw UNSURE
  return double
}

function anyBytes(value: unknown, size: number): Uint8Array {
  const bytes = typeof value === 'string' ? bytesOf(value) : value
  if (!(bytes instanceof Uint8Array) || (size >= 0 && bytes.length !== size)) throw UNSURE
  return bytes
}
