// The fleet configuration: YAML or JSON text comes in, a checked configuration or an error with its line goes out.
import { isIP } from 'node:net'
import { didYouMean, failure } from '@pitot/api'
import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from 'yaml'

export interface FleetMember {
  readonly name: string
  readonly api: string
  readonly host: string
  readonly port: number
  readonly scheme?: 'http' | 'https'
}

export interface Configuration {
  /** As it was given, to be given back unchanged. */
  readonly text: string
  /** The one top key, whatever word it is. */
  readonly top: string
  /** The sections under the top key, as plain values; ports are numbers. */
  readonly sections: Readonly<Record<string, unknown>>
  readonly fleet: readonly FleetMember[]
}

/** Configurations are written by hand; one of this size is a mistake, and reading it would hold everything else up. */
const longestText = 1024 * 1024
const mostAliases = 100
const deepest = 32
const tooDeep = 'the configuration is nested too deep'

/** Checks one value and gives it back, with ports as numbers; `null` nodes are empty values. */
type Check = (node: Node | null, reader: Reader, what: string) => unknown
type Keys = Readonly<Record<string, { readonly check: Check; readonly required?: true }>>

const apis = ['model-manage', 'engine', 'engine-x', 'connect', 'gateway', 'dashboard']

const memberKeys: Keys = {
  api: { check: word(apis), required: true },
  host: { check: hostName, required: true },
  port: { check: port, required: true },
  name: { check: instanceName },
  scheme: { check: word(['http', 'https']) },
}

const databaseKeys: Keys = {
  type: { check: word(['sqlite', 'postgres', 'postgresql', 'mysql', 'mariadb']), required: true },
  host: { check: text },
  port: { check: port },
  username: { check: text },
  password: { check: secret },
  database: { check: text },
}

const notificationKeys: Keys = {
  type: { check: word(['kafka', 'REST']), required: true },
  bootstrap: { check: list(text) },
  topic: { check: text },
}

const sectionKeys: Keys = {
  fleet: { check: list(entries(memberKeys)) },
  db: { check: entries(databaseKeys) },
  pneumo: { check: entries(notificationKeys) },
}

/** Throws `bad-config` for the first thing that is not right. */
export function readConfiguration(given: string): Configuration {
  if (given.length > longestText) {
    const line = given.slice(0, longestText).split('\n').length
    throw failure('bad-config', { line, reason: 'the configuration is longer than 1 MiB from here on' })
  }
  const lines = new LineCounter()
  // Repeated keys are found by the reader: the parser compares every key with every other, which takes minutes at worst.
  const document = parseDocument(given, { lineCounter: lines, uniqueKeys: false, prettyErrors: false, version: '1.2' })
  const reader = new Reader(lines)
  const [trouble] = [...document.errors, ...document.warnings]
  if (trouble !== undefined) throw reader.errorAt(trouble.pos[0], sentence(trouble.message))
  reader.survey(document.contents)
  if (!isMap(document.contents))
    throw reader.error(document.contents, 'the configuration must have one top key, such as `pitot:`')
  const [pair, second] = document.contents.items
  if (pair === undefined) throw reader.error(document.contents, 'the configuration is empty')
  if (second !== undefined) {
    throw reader.error(
      second.key as Node,
      `the configuration has a second top key ${keyText(second.key)}; there must be only one`,
    )
  }
  const top = keyText(pair.key)
  const sections = entries(sectionKeys)(pair.value as Node | null, reader, top) as Record<string, unknown>
  const fleet = nameMembers((sections.fleet ?? []) as GivenMember[], pair.value as YAMLMap, reader)
  return { text: given, top, sections, fleet }
}

type GivenMember = Omit<FleetMember, 'name'> & { readonly name?: string }

/** `engine-1`, `engine-2`, … counted per api in the order of the configuration, unless an entry has a name. */
function nameMembers(given: readonly GivenMember[], section: YAMLMap, reader: Reader): FleetMember[] {
  const counts = new Map<string, number>()
  const taken = new Set<string>()
  const entryNodes = section.get('fleet', true) as { items?: Node[] } | undefined
  return given.map((entry, index) => {
    const count = (counts.get(entry.api) ?? 0) + 1
    counts.set(entry.api, count)
    const name = entry.name ?? `${entry.api}-${count}`
    if (taken.has(name))
      throw reader.error(
        entryNodes?.items?.[index] ?? null,
        `the name '${name}' is taken by another entry of the fleet`,
      )
    taken.add(name)
    return { ...entry, name }
  })
}

/** Knows the lines of the text, and what its aliases stand for. */
class Reader {
  readonly #lines: LineCounter
  readonly #targets = new Map<Alias, Node>()

  constructor(lines: LineCounter) {
    this.#lines = lines
  }

  /**
   * Goes through the document once, in its order: finds what each alias stands for, and refuses repeated keys and bombs.
   * Aliases are followed by hand, so what counts is how often they are used and how deep the document is.
   */
  survey(root: unknown): void {
    const anchors = new Map<string, Node>()
    let aliases = 0
    const visit = (node: unknown, depth: number): void => {
      if (depth > deepest) throw this.error(node as Node, tooDeep)
      if (isAlias(node)) {
        aliases++
        if (aliases > mostAliases)
          throw this.error(node, `there are more than ${mostAliases} aliases in the configuration`)
        const target = anchors.get(node.source)
        if (target === undefined) throw this.error(node, `there is no anchor &${node.source} before this alias`)
        this.#targets.set(node, target)
      }
      if ((isMap(node) || isSeq(node) || isScalar(node)) && node.anchor !== undefined) anchors.set(node.anchor, node)
      if (isMap(node)) this.#refuseRepeatedKeys(node)
      const parts = isMap(node) ? node.items.flatMap(({ key, value }) => [key, value]) : isSeq(node) ? node.items : []
      for (const part of parts) visit(part, depth + 1)
    }
    visit(root, 0)
  }

  #refuseRepeatedKeys(map: YAMLMap): void {
    const seen = new Set<string>()
    for (const { key } of map.items) {
      if (!isScalar(key)) throw this.error(key as Node, 'a key must be a text')
      const name = keyText(key)
      if (seen.has(name)) throw this.error(key as Node, `the key '${name}' is there twice`)
      seen.add(name)
    }
  }

  /** The node itself, or what it is an alias of. */
  follow(node: Node | null): Node | null {
    return isAlias(node) ? this.#targets.get(node)! : node
  }

  error(node: Node | null, reason: string) {
    return this.errorAt(node?.range?.[0] ?? 0, reason)
  }

  errorAt(offset: number, reason: string) {
    return failure('bad-config', { line: this.#lines.linePos(offset).line, reason })
  }
}

function entries(keys: Keys): Check {
  const known = Object.keys(keys)
  return (given, reader, what) => {
    const node = reader.follow(given)
    if (!isMap(node))
      throw reader.error(given, `${what} must have entries (${known.join(', ')}), but is ${kindOf(node)}`)
    const values: Record<string, unknown> = {}
    for (const { key, value } of node.items) {
      const name = keyText(key)
      const entry = Object.hasOwn(keys, name) ? keys[name] : undefined
      if (entry === undefined) {
        throw reader.error(
          key as Node,
          `${what} has no key '${name}'${didYouMean(name, known)}; known: ${known.join(', ')}`,
        )
      }
      values[name] = entry.check(value as Node | null, reader, name)
    }
    for (const [name, { required }] of Object.entries(keys)) {
      if (required && !(name in values)) throw reader.error(given, `${what} lacks '${name}'`)
    }
    return values
  }
}

function list(item: Check): Check {
  return (given, reader, what) => {
    const node = reader.follow(given)
    if (!isSeq(node)) throw reader.error(given, `${what} must be a list, but is ${kindOf(node)}`)
    return node.items.map((part, index) => item(part as Node, reader, `${what} entry ${index + 1}`))
  }
}

/** A password or user name may look like a number; it is the text that counts. */
function text(given: Node | null, reader: Reader, what: string): string {
  const found = secret(given, reader, what)
  if (found === '') throw reader.error(given, `${what} is empty`)
  return found
}

/** A text that may be empty. */
function secret(given: Node | null, reader: Reader, what: string): string {
  const node = reader.follow(given)
  if (!isScalar(node) || node.value === null)
    throw reader.error(given, `${what} must be a text, but is ${kindOf(node)}`)
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value))
}

/** Becomes a part of URLs, so it must be nothing but a host. */
function hostName(given: Node | null, reader: Reader, what: string): string {
  const host = text(given, reader, what)
  if (isIP(host) !== 0 || /^[\p{L}\p{N}_.-]{1,253}$/u.test(host)) return host
  throw reader.error(given, `${what} is '${host}', but must be a host name or an IP address, nothing else`)
}

function instanceName(given: Node | null, reader: Reader, what: string): string {
  const name = text(given, reader, what)
  if (/^\w[\w.-]{0,127}$/.test(name)) return name
  throw reader.error(given, `name '${name}' must be letters, digits, '.', '-' and '_', 128 at the most`)
}

function word(allowed: readonly string[]): Check {
  return (given, reader, what) => {
    const found = text(given, reader, what)
    const match = allowed.find((candidate) => candidate.toLowerCase() === found.toLowerCase())
    if (match !== undefined) return match
    throw reader.error(given, `${what} is '${found}'${didYouMean(found, allowed)}; allowed: ${allowed.join(', ')}`)
  }
}

/** Some clients write every value as a text, so `'8003'` is a port too. */
function port(given: Node | null, reader: Reader, what: string): number {
  const found = text(given, reader, what)
  const value = /^\d{1,5}$/.test(found) ? Number(found) : 0
  if (value < 1 || value > 65535)
    throw reader.error(given, `${what} is '${found}', but must be a whole number from 1 to 65535`)
  return value
}

/** The survey has let only texts through. */
function keyText(key: unknown): string {
  return String((key as Scalar).value)
}

function kindOf(node: Node | null): string {
  if (isMap(node)) return 'a mapping'
  if (isSeq(node)) return 'a list'
  if (!isScalar(node) || node.value === null) return 'empty'
  return `'${String(node.value)}'`
}

/** The parser's message, begun with a small letter; in our words where its own would mean nothing to the reader. */
function sentence(message: string): string {
  if (message.includes('call stack')) return tooDeep
  if (message.includes('parseAllDocuments')) return 'a second document begins here; there must be only one'
  return message.charAt(0).toLowerCase() + message.slice(1)
}
