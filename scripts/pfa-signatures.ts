// In comes libfcns.xml (its path is the argument), out goes packages/pfa/src/library/signatures.generated.ts.
//   node scripts/pfa-signatures.ts <path to libfcns.xml> && npx biome check --write packages/pfa/src/library/signatures.generated.ts
// Only facts are taken over: names, signatures, error codes with their short messages, kinds of nondeterminism.
import { readFileSync, writeFileSync } from 'node:fs'

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (Element | string)[]
}

const entities: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'" }
const decode = (text: string): string => text.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)

/** Reads the part of XML that this file uses: elements, attributes, text, comments, five entities. */
function readXml(text: string): Element {
  const top: Element = { name: '', attributes: {}, children: [] }
  const open = [top]
  const token = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<(\/?)([\w.:-]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|([^<]+)/g
  for (const [, closing, name, attributes, selfClosing, plain] of text.matchAll(token)) {
    const parent = open[open.length - 1]
    if (parent === undefined) throw new Error('libfcns.xml closes more elements than it opens')
    if (plain !== undefined) parent.children.push(decode(plain))
    else if (name === undefined) continue
    else if (closing === '/') open.pop()
    else {
      const pairs = [...(attributes ?? '').matchAll(/([\w:-]+)="([^"]*)"/g)]
      const element = {
        name,
        attributes: Object.fromEntries(pairs.map(([, key, value]) => [key ?? '', decode(value ?? '')])),
        children: [],
      }
      parent.children.push(element)
      if (selfClosing !== '/') open.push(element)
    }
  }
  return top
}

const elements = (parent: Element, name?: string): Element[] =>
  parent.children.filter(
    (child): child is Element => typeof child !== 'string' && (name === undefined || child.name === name),
  )

const only = (parent: Element, name: string): Element => {
  const [first] = elements(parent, name)
  if (first === undefined) throw new Error(`<${parent.name}> has no <${name}>`)
  return first
}

const textOf = (element: Element): string =>
  element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')

/** The pattern inside <par>, <ret>, <array>, ...: either one element, or bare text, or several <union> in a row. */
function pattern(parent: Element): string {
  const inside = elements(parent)
  const [first] = inside
  if (first === undefined) return textOf(parent).trim()
  if (first.name === 'union') return `union(${inside.map(pattern).join(', ')})`
  return patternOf(first)
}

function patternOf(element: Element): string {
  const { label, of, ofRecord } = element.attributes
  switch (element.name) {
    case 'any':
      return of === undefined ? `any ${label}` : `any ${label} of {${of}}`
    case 'ref':
      return label ?? ''
    case 'array':
    case 'map':
      return `${element.name}(${pattern(element)})`
    case 'fixed':
      return `fixed ${label}`
    case 'enum':
      return ofRecord === undefined ? `enum ${label}` : `enum ${label} of ${ofRecord}`
    case 'record': {
      const fields = elements(element, 'field').map((field) => `${field.attributes.name}: ${pattern(field)}`)
      return fields.length === 0 ? `record ${label}` : `record ${label} {${fields.join(', ')}}`
    }
    case 'function':
      return `fcn(${elements(element, 'par').map(pattern).join(', ')} -> ${pattern(only(element, 'ret'))})`
    default:
      throw new Error(`a pattern cannot be a <${element.name}>`)
  }
}

function signature(element: Element): string {
  const parameters = elements(element, 'par').map((parameter) => `${parameter.attributes.name}: ${pattern(parameter)}`)
  return `(${parameters.join(', ')}) -> ${pattern(only(element, 'ret'))}`
}

function shortMessage(element: Element): string {
  const text = textOf(element).replace(/\s+/g, ' ').trim()
  const quoted = /"([^"]+)" (?:runtime )?error/.exec(text) ?? /"([^"]+)"/.exec(text)
  if (quoted?.[1] === undefined) throw new Error(`error ${element.attributes.code} has no quoted message`)
  return quoted[1]
}

function entry(element: Element): string {
  const lines = [
    `signatures: [\n${elements(element, 'sig')
      .map((each) => `      ${JSON.stringify(signature(each))},\n`)
      .join('')}    ],`,
  ]
  const doc = only(element, 'doc')
  const errors = elements(doc, 'error').map((each) => `${each.attributes.code}: ${JSON.stringify(shortMessage(each))}`)
  if (errors.length > 0) lines.push(`errors: { ${errors.join(', ')} },`)
  const [vague] = elements(doc, 'nondeterministic')
  if (vague !== undefined) lines.push(`nondeterministic: ${JSON.stringify(vague.attributes.type)},`)
  return `  ${JSON.stringify(element.attributes.name)}: {\n    ${lines.join('\n    ')}\n  },`
}

const [, , source] = process.argv
if (source === undefined) throw new Error('give the path of libfcns.xml: node scripts/pfa-signatures.ts <path>')
const specification = only(readXml(readFileSync(source, 'utf8')), 'PFASpecification')
const functions = elements(only(specification, 'libfcns'), 'fcn')
const output = new URL('../packages/pfa/src/library/signatures.generated.ts', import.meta.url)
writeFileSync(
  output,
  `// Made by scripts/pfa-signatures.ts from libfcns.xml of PFA ${textOf(only(specification, 'version'))}: change the script, not this file.
import type { LibrarySignatures } from './signatures.ts'

export const signatures = {
${functions.map(entry).join('\n')}
} as const satisfies LibrarySignatures
`,
)
process.stdout.write(`${functions.length} functions\n`)
