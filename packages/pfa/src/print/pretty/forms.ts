// The special forms of PFA, each with the keys it may have and its PrettyPFA. `undefined` means: not sayable, escape it.
import { type DocumentObject, type DocumentValue, isList, isObject, NumberLexeme } from '../../forms/document.ts'
import { atom, type ExpressionPrinter, isWhole, literalString, type Printed, power } from './expressions.ts'
import { bracketed, dataText, fits, isDottedName, isIdentifier, isReserved, keyText, quote } from './text.ts'

export interface FormPrinter {
  readonly keys: readonly string[]
  readonly print: (printer: ExpressionPrinter, form: DocumentObject) => Printed | undefined
}

type Entry = readonly [key: string, form: FormPrinter]

const open = (text: string): Printed => ({ text, power: power.open })

/** Looked up by the first key that a form has: the order matters where keys are shared. */
export const formPrinters: readonly Entry[] = [
  ...(['int', 'long', 'float', 'double'] as const).map(
    (kind): Entry => [kind, { keys: [kind], print: numberLiteral(kind) }],
  ),
  ['string', { keys: ['string'], print: (_printer, form) => stringLiteral(form) }],
  [
    'base64',
    {
      keys: ['base64'],
      print: (_printer, { base64 }) => (typeof base64 === 'string' ? atom(`bytes(${quote(base64)})`) : undefined),
    },
  ],
  ['value', { keys: ['type', 'value'], print: typedLiteral }],
  ['new', { keys: ['type', 'new'], print: printNew }],
  ['params', { keys: ['params', 'ret', 'do'], print: printFunction }],
  ['fcn', { keys: ['fcn', 'fill'], print: functionReference }],
  ['call', { keys: ['call', 'args'], print: (printer, form) => printApply(printer, form) }],
  ['let', { keys: ['let'], print: (printer, form) => assignments(printer, form.let, 'var ') }],
  ['set', { keys: ['set'], print: (printer, form) => assignments(printer, form.set, '') }],
  ['attr', { keys: ['attr', 'path', 'to'], print: printAttr }],
  ['cell', { keys: ['cell', 'path', 'to'], print: printCell }],
  ['pool', { keys: ['pool', 'path', 'to', 'init'], print: printPool }],
  ['ifnotnull', { keys: ['ifnotnull', 'then', 'else'], print: printIfNotNull }],
  ['unpack', { keys: ['unpack', 'format', 'then', 'else'], print: printUnpack }],
  ['cond', { keys: ['cond', 'else'], print: printCond }],
  ['if', { keys: ['if', 'then', 'else'], print: printIf }],
  ['for', { keys: ['for', 'while', 'step', 'do'], print: printFor }],
  ['foreach', { keys: ['foreach', 'in', 'do', 'seq'], print: printForeach }],
  ['forkey', { keys: ['forkey', 'forval', 'in', 'do'], print: printForKey }],
  ['while', { keys: ['while', 'do'], print: printWhile }],
  ['until', { keys: ['do', 'until'], print: printUntil }],
  ['do', { keys: ['do'], print: printDo }],
  ['cases', { keys: ['cast', 'cases', 'partial'], print: printCast }],
  ['upcast', { keys: ['upcast', 'as'], print: (printer, form) => printUpcast(printer, form) }],
  ['pack', { keys: ['pack'], print: printPack }],
  ['try', { keys: ['try', 'filter'], print: printTry }],
  ['error', { keys: ['error', 'code'], print: printError }],
  ['log', { keys: ['log', 'namespace'], print: printLog }],
  [
    'doc',
    { keys: ['doc'], print: (_printer, { doc }) => (typeof doc === 'string' ? atom(`doc(${quote(doc)})`) : undefined) },
  ],
]

function numberLiteral(kind: 'int' | 'long' | 'float' | 'double') {
  return (_printer: ExpressionPrinter, form: DocumentObject): Printed | undefined => {
    const value = form[kind]!
    const isNumber = value instanceof NumberLexeme || typeof value === 'number' || typeof value === 'bigint'
    if (!isNumber || ((kind === 'int' || kind === 'long') && !isWhole(value))) return undefined
    return atom(`${kind}(${dataText(value)})`)
  }
}

function stringLiteral(form: DocumentObject): Printed | undefined {
  const text = literalString(form)
  return text === undefined ? undefined : atom(quote(text))
}

/** Bytes are left out: in a typed value they are a text of Latin-1, in PrettyPFA base64. */
function typedLiteral(printer: ExpressionPrinter, form: DocumentObject): Printed | undefined {
  if (form.type === undefined) return undefined
  const type = printer.types.resolve(form.type)
  const value = form.value!
  if (type === 'bytes' || (type === 'string' && typeof value !== 'string')) return undefined
  if (type === 'null' && value !== null) return undefined
  if ((type === 'int' || type === 'long') && !isWhole(value)) return undefined
  if ((type === 'float' || type === 'double') && !(value instanceof NumberLexeme) && typeof value !== 'number')
    return undefined
  if (printer.types.isEnum(type) && typeof value === 'string' && isIdentifier(value)) return atom(`${type}@${value}`)
  return atom(printer.arguments('json', [printer.types.text(form.type), dataText(value)]))
}

function printNew(printer: ExpressionPrinter, form: DocumentObject): Printed | undefined {
  if (form.type === undefined) return undefined
  const type = printer.types.resolve(form.type)
  const isArray = isObject(type) && type.type === 'array'
  const content = form.new!
  if (isList(content) !== isArray) return undefined
  const items = isList(content) ? content.map((item) => printer.text(item)) : printer.members(content)
  if (items === undefined) return undefined
  // A list of bare names could be read as keys; `new` of an array never is.
  return atom(printer.arguments('new', [printer.types.text(form.type), ...items]))
}

export function functionText(printer: ExpressionPrinter, form: DocumentObject): string | undefined {
  if (!isList(form.params!) || form.ret === undefined) return undefined
  const parameters: string[] = []
  for (const parameter of form.params) {
    if (!isObject(parameter)) return undefined
    const names = Object.keys(parameter).filter((key) => key !== '@')
    if (names.length !== 1) return undefined
    parameters.push(`${keyText(names[0]!)}: ${printer.types.text(parameter[names[0]!]!)}`)
  }
  const body = printer.body(form.do)
  if (body === undefined) return undefined
  const result = `-> ${printer.types.text(form.ret)}`
  const line = `fcn(${parameters.join(', ')}${parameters.length > 0 ? ' ' : ''}${result})`
  const head =
    fits(line) || parameters.length === 0
      ? line
      : bracketed('fcn(', [...parameters.slice(0, -1), `${parameters.at(-1)} ${result}`], ')')
  return `${head} ${body}`
}

function printFunction(printer: ExpressionPrinter, form: DocumentObject): Printed | undefined {
  const text = functionText(printer, form)
  return text === undefined ? undefined : open(text)
}

function functionReference(printer: ExpressionPrinter, { fcn, fill }: DocumentObject): Printed | undefined {
  if (typeof fcn !== 'string' || !isDottedName(fcn) || isReserved(fcn)) return undefined
  if (fill === undefined) return printer.scope.isFunction(fcn) ? atom(fcn) : undefined
  const members = printer.members(fill)
  return members === undefined || members.length === 0 ? undefined : atom(printer.arguments(fcn, members))
}

function printApply(printer: ExpressionPrinter, { call, args }: DocumentObject): Printed | undefined {
  if (args === undefined || call === undefined) return undefined
  const given = isList(args) ? args : [args]
  return atom(
    printer.arguments(
      'apply',
      [call, ...given].map((value) => printer.text(value)),
    ),
  )
}

function assignmentTexts(printer: ExpressionPrinter, values: DocumentValue | undefined): string[] | undefined {
  if (values === undefined || !isObject(values)) return undefined
  const names = Object.keys(values)
  if (names.length === 0 || !names.every(isIdentifier)) return undefined
  return names.map((name) => `${printer.symbol(name)} = ${printer.text(values[name]!)}`)
}

function assignments(
  printer: ExpressionPrinter,
  values: DocumentValue | undefined,
  keyword: string,
): Printed | undefined {
  const texts = assignmentTexts(printer, values)
  return texts === undefined ? undefined : { text: keyword + texts.join(', '), power: power.assignment }
}

/** What follows a path: nothing, a value after '=', or a function after 'to'. */
function updated(printer: ExpressionPrinter, target: string, to: DocumentValue | undefined, init?: string): Printed {
  if (to === undefined) return atom(target)
  const isFunction = isObject(to) && (Object.hasOwn(to, 'params') || Object.hasOwn(to, 'fcn'))
  const initial = init === undefined ? '' : ` init ${init}`
  return { text: `${target} ${isFunction ? 'to' : '='} ${printer.text(to)}${initial}`, power: power.assignment }
}

function printAttr(printer: ExpressionPrinter, { attr, path, to }: DocumentObject): Printed | undefined {
  if (attr === undefined || path === undefined || !isList(path) || path.length === 0) return undefined
  if (typeof attr === 'string' && isIdentifier(attr)) return updated(printer, printer.access(attr, path), to)
  const base = printer.print(attr)
  const closed = base.power === power.atom && /[)\]]$/.test(base.text) && !/^\d/.test(base.text)
  return updated(printer, printer.path(closed ? base.text : bracketed('(', [base.text], ')'), path, false), to)
}

function printCell(printer: ExpressionPrinter, { cell, path, to }: DocumentObject): Printed | undefined {
  if (typeof cell !== 'string' || isReserved(cell) || !printer.scope.cells.has(cell)) return undefined
  if (path !== undefined && !isList(path)) return undefined
  return updated(printer, printer.path(cell, path ?? [], true), to)
}

function printPool(printer: ExpressionPrinter, { pool, path, to, init }: DocumentObject): Printed | undefined {
  const { scope } = printer
  if (typeof pool !== 'string' || isReserved(pool) || !scope.pools.has(pool) || scope.cells.has(pool)) return undefined
  if (path === undefined || !isList(path) || path.length === 0 || (to === undefined) !== (init === undefined))
    return undefined
  const target = printer.path(pool, path, true)
  if (to === undefined) return atom(target)
  const initial = printer.text(init!)
  return updated(printer, target, to, initial === printer.text(to) ? undefined : initial)
}

/** `head then else otherwise`, on one line when everything is short. */
function branches(printer: ExpressionPrinter, head: string, form: DocumentObject): Printed | undefined {
  const then = printer.body(form.then)
  const otherwise = printer.body(form.else)
  if (then === undefined || (form.else !== undefined && otherwise === undefined)) return undefined
  const tail = otherwise === undefined ? '' : ` else ${otherwise}`
  const line = `${head} ${then}${tail}`
  if (!then.includes('\n') && !fits(line)) {
    const block = (value: DocumentValue | undefined) => printer.block(printer.expressions(value)!)
    return open(`${head} ${block(form.then)}${otherwise === undefined ? '' : ` else ${block(form.else)}`}`)
  }
  return open(line)
}

function printIf(printer: ExpressionPrinter, form: DocumentObject): Printed | undefined {
  return form.if === undefined ? undefined : branches(printer, `if (${printer.text(form.if)})`, form)
}

function printCond(printer: ExpressionPrinter, form: DocumentObject): Printed | undefined {
  if (!isList(form.cond!) || form.cond.length === 0) return undefined
  const parts: string[] = []
  for (const part of form.cond) {
    const expressions = isObject(part) ? printer.expressions(part.then) : undefined
    if (!isObject(part) || part.if === undefined || expressions === undefined || part.else !== undefined)
      return undefined
    parts.push(`if (${printer.text(part.if)}) ${printer.block(expressions)}`)
  }
  const otherwise = printer.expressions(form.else)
  if (form.else !== undefined && otherwise === undefined) return undefined
  if (otherwise !== undefined) parts.push(printer.block(otherwise))
  return open(parts.join(' else '))
}

function loop(printer: ExpressionPrinter, head: string, form: DocumentObject): Printed | undefined {
  const body = printer.body(form.do)
  return body === undefined ? undefined : open(`${head} ${body}`)
}

function printWhile(printer: ExpressionPrinter, form: DocumentObject): Printed | undefined {
  return loop(printer, `while (${printer.text(form.while!)})`, form)
}

function printUntil(printer: ExpressionPrinter, form: DocumentObject): Printed | undefined {
  const body = printer.expressions(form.do)
  return body === undefined ? undefined : open(`do ${printer.block(body)} until (${printer.text(form.until!)})`)
}

function printFor(printer: ExpressionPrinter, form: DocumentObject): Printed | undefined {
  const start = assignmentTexts(printer, form.for)
  const step = assignmentTexts(printer, form.step)
  if (start === undefined || step === undefined || form.while === undefined) return undefined
  return loop(printer, `for (${start.join(', ')}; ${printer.text(form.while)}; ${step.join(', ')})`, form)
}

function printForeach(printer: ExpressionPrinter, form: DocumentObject): Printed | undefined {
  if (typeof form.foreach !== 'string' || form.in === undefined || typeof (form.seq ?? true) !== 'boolean')
    return undefined
  // Without the word PFA means true, PrettyPFA false.
  const sequential = form.seq === false ? '' : ', seq: true'
  return loop(printer, `foreach (${keyText(form.foreach)}: ${printer.text(form.in)}${sequential})`, form)
}

function printForKey(printer: ExpressionPrinter, form: DocumentObject): Printed | undefined {
  if (typeof form.forkey !== 'string' || typeof form.forval !== 'string' || form.in === undefined) return undefined
  return loop(printer, `foreach (${keyText(form.forkey)}, ${keyText(form.forval)}: ${printer.text(form.in)})`, form)
}

function printDo(printer: ExpressionPrinter, form: DocumentObject): Printed | undefined {
  const expressions = printer.expressions(form.do)
  return expressions === undefined ? undefined : open(printer.block(expressions))
}

function printCast(printer: ExpressionPrinter, { cast, cases, partial }: DocumentObject): Printed | undefined {
  if (cast === undefined || !isList(cases!) || typeof (partial ?? false) !== 'boolean') return undefined
  const texts: string[] = []
  for (const part of cases) {
    const known = isObject(part) && Object.keys(part).every((key) => ['as', 'named', 'do', '@'].includes(key))
    if (!known || part.as === undefined || typeof part.named !== 'string') return undefined
    const body = printer.body(part.do)
    if (body === undefined) return undefined
    texts.push(`as (${keyText(part.named)}: ${printer.types.text(part.as)}) ${body}`)
  }
  const head = `cast (${printer.text(cast)}${partial === true ? ', partial: true' : ''})`
  return atom(`${head} {\n  ${texts.join('\n').replaceAll('\n', '\n  ')}\n}`)
}

function printUpcast(printer: ExpressionPrinter, { upcast, as }: DocumentObject): Printed | undefined {
  if (upcast === undefined || as === undefined) return undefined
  return atom(printer.arguments('upcast', [printer.types.text(as), printer.text(upcast)]))
}

function printIfNotNull(printer: ExpressionPrinter, form: DocumentObject): Printed | undefined {
  const members = printer.members(form.ifnotnull)
  if (members === undefined || members.length === 0) return undefined
  return branches(printer, bracketed('ifnotnull (', members, ')'), form)
}

/** The single key of each object in a list, with its value. */
function pairs(list: DocumentValue | undefined): [key: string, value: DocumentValue][] | undefined {
  if (list === undefined || !isList(list) || list.length === 0) return undefined
  const found: [string, DocumentValue][] = []
  for (const item of list) {
    const keys = isObject(item) ? Object.keys(item).filter((key) => key !== '@') : []
    if (keys.length !== 1) return undefined
    found.push([keys[0]!, (item as DocumentObject)[keys[0]!]!])
  }
  return found
}

function printPack(printer: ExpressionPrinter, { pack }: DocumentObject): Printed | undefined {
  const items = pairs(pack)?.map(([format, value]) => `${keyText(format)}: ${printer.text(value)}`)
  return items === undefined ? undefined : atom(printer.arguments('pack', items))
}

function printUnpack(printer: ExpressionPrinter, form: DocumentObject): Printed | undefined {
  const formats = pairs(form.format)
  if (form.unpack === undefined || !formats?.every(([, format]) => typeof format === 'string')) return undefined
  const items = formats.map(([name, format]) => `${keyText(name)}: ${quote(format as string)}`)
  return branches(printer, bracketed('unpack (', [printer.text(form.unpack), ...items], ')'), form)
}

function printTry(printer: ExpressionPrinter, form: DocumentObject): Printed | undefined {
  const expressions = printer.expressions(form.try)
  const body = printer.body(form.try)
  if (expressions === undefined || body === undefined) return undefined
  if (form.filter === undefined) {
    // A parenthesis right after 'try' could be read as a filter.
    return open(`try ${body.startsWith('(') ? printer.block(expressions) : body}`)
  }
  if (!isList(form.filter) || !form.filter.every((item) => typeof item === 'string' || isWhole(item))) return undefined
  return open(`try ${bracketed('(', form.filter.map(dataText), ')')} ${body}`)
}

function printError(_printer: ExpressionPrinter, { error, code }: DocumentObject): Printed | undefined {
  if (typeof error !== 'string' || (code !== undefined && !isWhole(code))) return undefined
  return atom(`error(${quote(error)}${code === undefined ? '' : `, code: ${dataText(code)}`})`)
}

function printLog(printer: ExpressionPrinter, { log, namespace }: DocumentObject): Printed | undefined {
  if (log === undefined || (namespace !== undefined && typeof namespace !== 'string')) return undefined
  const values = (isList(log) ? log : [log]).map((value) => printer.text(value))
  const items = namespace === undefined ? values : [...values, `namespace: ${quote(namespace)}`]
  return atom(printer.arguments('log', items))
}
