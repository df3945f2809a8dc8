// A document's value comes in, PrettyPFA goes out: reading it back gives a document that means the same.
import { PfaError } from '../../errors.ts'
import { type DocumentObject, type DocumentValue, isObject } from '../../forms/document.ts'
import { Replacements, Scope } from '../../forms/pretty/scope.ts'
import { TypeTable } from '../../forms/pretty/types.ts'
import { ExpressionPrinter } from './expressions.ts'
import { functionText } from './forms.ts'
import { printingError } from './problem.ts'
import { dataText, indented, isDottedName, isIdentifier, isReserved, quote } from './text.ts'
import { TypePrinter } from './types.ts'

export function printPretty(root: DocumentValue): string {
  try {
    return printDocument(root)
  } catch (error) {
    if (error instanceof RangeError) throw new PfaError('syntax', 'The document is nested too deep to be printed.')
    throw error
  }
}

function printDocument(root: DocumentValue): string {
  if (!isObject(root)) throw printingError('an object', root)
  const types = new TypePrinter()
  const printer = new ExpressionPrinter(scopeOf(root), types)
  const sections = new Map<string, string>()
  for (const key of Object.keys(root)) {
    const print = Object.hasOwn(sectionPrinters, key) ? sectionPrinters[key] : undefined
    if (print !== undefined) sections.set(key, print(printer, root[key]!))
    else if (key !== '@') throw printingError('a field that PFA has', key)
  }
  const definitions = types.definitions()
  if (definitions.length > 0) sections.set('types', below(definitions.join(';\n')))
  return order
    .filter((key) => sections.get(key) !== undefined && sections.get(key) !== '')
    .map((key) => `${key}:${sections.get(key)}\n`)
    .join('')
}

const order = [
  'name',
  'doc',
  'version',
  'metadata',
  'options',
  'randseed',
  'method',
  'types',
  'input',
  'output',
  'cells',
  'pools',
  'zero',
  'begin',
  'action',
  'end',
  'merge',
  'fcns',
]

function scopeOf(root: DocumentObject): Scope {
  const keys = (value: DocumentValue | undefined) => (value !== undefined && isObject(value) ? Object.keys(value) : [])
  const functions = keys(root.fcns).map((name) => `u.${name}`)
  if (root.method === 'emit') functions.push('emit')
  const replacements = new Replacements({})
  const names = { cells: keys(root.cells), pools: keys(root.pools), functions }
  return new Scope(names, new TypeTable(replacements, new Set()), replacements)
}

type SectionPrinter = (printer: ExpressionPrinter, value: DocumentValue) => string

const beside = (text: string) => ` ${text}`
const below = (text: string) => `\n${indented(text)}`
const data: SectionPrinter = (_printer, value) => beside(dataText(value))
const type: SectionPrinter = (printer, value) => beside(printer.types.text(value).replaceAll('\n', '\n  '))

const sectionPrinters: Readonly<Record<string, SectionPrinter>> = {
  name: (_printer, value) => beside(typeof value === 'string' && isIdentifier(value) ? value : dataText(value)),
  doc: data,
  version: data,
  metadata: (_printer, value) => beside(dataText(value).replaceAll('\n', '\n  ')),
  options: (_printer, value) => beside(dataText(value).replaceAll('\n', '\n  ')),
  randseed: data,
  method: (_printer, value) => (value === 'map' ? '' : beside(String(value))),
  input: type,
  output: type,
  zero: (_printer, value) => beside(dataText(value).replaceAll('\n', '\n  ')),
  begin: expressions,
  action: expressions,
  end: expressions,
  merge: expressions,
  cells: state,
  pools: state,
  fcns: (printer, value) =>
    entries(value, (name, definition) => {
      const text = isObject(definition) ? functionText(printer, definition) : undefined
      if (text === undefined) throw printingError(`the function ${name}`, definition)
      return `${declared(name)} = ${text}`
    }),
}

function expressions(printer: ExpressionPrinter, value: DocumentValue): string {
  const list = printer.expressions(value)
  if (list === undefined) return ''
  // A single block would be taken apart: it is put into another one.
  const only = list.length === 1 ? printer.sequence(list) : undefined
  return below(only?.startsWith('{') ? printer.block(list) : printer.sequence(list))
}

const flags = ['shared', 'rollback'] as const

function state(printer: ExpressionPrinter, value: DocumentValue): string {
  return entries(value, (name, declaration) => {
    if (!isObject(declaration) || declaration.type === undefined)
      throw printingError(`the type of ${name}`, declaration)
    const known = ['type', 'init', 'source', '@', ...flags]
    const unknown = Object.keys(declaration).find((key) => !known.includes(key))
    if (unknown !== undefined) throw printingError(`a field that ${name} can have`, unknown)
    const properties = [printer.types.text(declaration.type)]
    for (const flag of flags) if (declaration[flag] === true) properties.push(`${flag}: true`)
    const { source, init = {} } = declaration
    if (typeof source === 'string' && source !== 'embedded') properties.push(`source: ${quote(source)}`)
    return `${declared(name)}(${properties.join(', ')}) = ${dataText(init)}`
  })
}

function entries(value: DocumentValue, print: (name: string, value: DocumentValue) => string): string {
  if (!isObject(value)) throw printingError('an object', value)
  const names = Object.keys(value).filter((name) => name !== '@')
  return names.length === 0 ? '' : below(names.map((name) => print(name, value[name]!)).join(';\n'))
}

/** Functions may have dotted names. */
function declared(name: string): string {
  if (isReserved(name)) return `\`${name}\``
  if (!isDottedName(name)) throw printingError('a name', name)
  return name
}
