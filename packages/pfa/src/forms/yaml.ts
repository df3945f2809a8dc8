// YAML 1.2 text comes in, a document goes out: the core schema, numbers kept as written, aliases and merges expanded.
import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type ParsedNode,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml'
import type { PfaError } from '../errors.ts'
import { type Document, type DocumentValue, isObject, NumberLexeme } from './document.ts'
import { childPointer, type Limits, ReadDocument, setOwn, syntaxErrorAt, yamlLimits } from './place.ts'

/** Values that aliases may add by being repeated: far above any honest document, far below a bomb. */
const maximumAliasedValues = 1_000_000

export function parseYaml(text: string, limits: Limits = yamlLimits): Document {
  const root = new YamlReader(text, limits).document()
  return new ReadDocument(root, text, () => {
    const offsets = new Map<string, number>()
    new YamlReader(text, limits, offsets).document()
    return offsets
  })
}

interface Read {
  readonly value: DocumentValue
  /** Values in it, itself included. */
  readonly size: number
  /** Levels of maps and lists in it. */
  readonly height: number
}

const nothing: Read = { value: null, size: 1, height: 0 }

class YamlReader {
  readonly #text: string
  readonly #limits: Limits
  readonly #offsets: Map<string, number> | undefined
  readonly #anchored = new Map<Node, Read>()
  readonly #targets = new Map<Alias, Node>()
  readonly #open = new Set<Node>()
  #aliasedValues = 0

  constructor(text: string, limits: Limits, offsets?: Map<string, number>) {
    this.#text = text
    this.#limits = limits
    this.#offsets = offsets
  }

  document(): DocumentValue {
    if (this.#text.length > this.#limits.length) {
      const message = `the document has ${this.#text.length} characters, more than the ${this.#limits.length} allowed`
      throw syntaxErrorAt('', 0, message)
    }
    const contents = this.#compose()
    if (contents === null) throw syntaxErrorAt(this.#text, 0, 'expected a YAML document, found an empty text')
    return this.#read(contents, 1, '').value
  }

  /** The failsafe schema leaves every scalar as text: the core schema's numbers would lose how they were written. */
  #compose(): ParsedNode | null {
    try {
      const parsed = parseDocument(this.#text, {
        schema: 'failsafe',
        stringKeys: true,
        uniqueKeys: false,
        prettyErrors: false,
        logLevel: 'error',
      })
      const error = parsed.errors[0]
      if (error?.message.includes('call stack')) throw this.#tooDeep(error.pos[0])
      if (error !== undefined) throw syntaxErrorAt(this.#text, error.pos[0], yamlMessage(error.message))
      this.#resolveAliases(parsed.contents)
      return parsed.contents
    } catch (error) {
      if (error instanceof RangeError) throw this.#tooDeep(0)
      throw error
    }
  }

  /** An alias means the last node before it, in the order of the text, that carries its anchor. */
  #resolveAliases(contents: ParsedNode | null): void {
    const anchors = new Map<string, Node>()
    visit(contents, {
      Node: (_key, node) => {
        if (isAlias(node)) {
          const target = anchors.get(node.source)
          if (target !== undefined) this.#targets.set(node, target)
        } else if (node.anchor !== undefined) {
          anchors.set(node.anchor, node)
        }
      },
    })
  }

  #error(node: Node, message: string): PfaError {
    return syntaxErrorAt(this.#text, offsetOf(node), message)
  }

  #tooDeep(offset: number): PfaError {
    return syntaxErrorAt(this.#text, offset, `maps and lists are nested more than ${this.#limits.depth} deep`)
  }

  #read(node: Node, depth: number, pointer: string): Read {
    this.#offsets?.set(pointer, offsetOf(node))
    if (isScalar(node)) return this.#keep(node, { value: this.#scalar(node), size: 1, height: 0 })
    if (isAlias(node)) return this.#alias(node, depth, pointer)
    if (depth > this.#limits.depth) throw this.#tooDeep(offsetOf(node))
    this.#open.add(node)
    const read = isMap(node) ? this.#map(node, depth, pointer) : this.#list(node, depth, pointer)
    this.#open.delete(node)
    return this.#keep(node, read)
  }

  #keep(node: Node, read: Read): Read {
    // While places are recorded an alias is walked again, so that what it stands for gets pointers of its own.
    if ('anchor' in node && node.anchor && this.#offsets === undefined) this.#anchored.set(node, read)
    return read
  }

  #list(node: Node, depth: number, pointer: string): Read {
    if (!isSeq<Node>(node)) throw this.#error(node, 'expected a map, a list or a scalar')
    if (node.tag !== undefined && node.tag !== 'tag:yaml.org,2002:seq') throw this.#unknownTag(node, node.tag)
    const items = node.items.map((item, index) => this.#read(item, depth + 1, childPointer(pointer, index)))
    return collection(
      items.map((item) => item.value),
      items,
    )
  }

  #map(node: YAMLMap<unknown, unknown>, depth: number, pointer: string): Read {
    if (node.tag !== undefined && node.tag !== 'tag:yaml.org,2002:map') throw this.#unknownTag(node, node.tag)
    const own = new Map<string, Node | null>()
    const merged: [key: string, value: DocumentValue][] = []
    const parts: Read[] = []
    for (const { key, value } of node.items as { key: Node | null; value: Node | null }[]) {
      if (!isScalar(key)) throw this.#error(key ?? node, 'expected a key that is a word or a string')
      if (key.value === '<<' && key.type === 'PLAIN' && value !== null) {
        for (const source of this.#mergeSources(value, depth)) {
          parts.push(source)
          merged.push(...Object.entries(source.value as Record<string, DocumentValue>))
        }
        continue
      }
      const name = String(key.value)
      if (own.has(name)) throw this.#error(key, `the key ${JSON.stringify(name)} stands twice in one map`)
      own.set(name, value)
    }
    const object: Record<string, DocumentValue> = {}
    for (const [key, value] of merged) {
      if (!own.has(key) && !Object.hasOwn(object, key)) setOwn(object, key, value)
    }
    for (const [key, value] of own) {
      const read = value === null ? nothing : this.#read(value, depth + 1, childPointer(pointer, key))
      parts.push(read)
      setOwn(object, key, read.value)
    }
    return collection(object, parts)
  }

  #mergeSources(value: Node, depth: number): Read[] {
    const sources = isSeq<Node>(value) ? value.items : [value]
    return sources.map((source) => {
      const read = this.#read(source, depth + 1, '/<<')
      if (!isObject(read.value)) {
        throw this.#error(source, `'<<' merges maps: expected an alias of a map, or quote the key as "<<"`)
      }
      return read
    })
  }

  #alias(node: Alias, depth: number, pointer: string): Read {
    const target = this.#targets.get(node)
    if (target === undefined)
      throw this.#error(node, `the alias *${node.source} has no anchor &${node.source} before it`)
    if (this.#open.has(target)) throw this.#error(node, `the alias *${node.source} stands inside its own anchor`)
    const read = this.#anchored.get(target) ?? this.#read(target, depth, pointer)
    if (depth + read.height > this.#limits.depth) throw this.#tooDeep(offsetOf(node))
    this.#aliasedValues += read.size
    if (this.#aliasedValues > maximumAliasedValues) {
      throw this.#error(node, `aliases repeat more than ${maximumAliasedValues} values: write the document out`)
    }
    return read
  }

  #scalar(node: Scalar): DocumentValue {
    const source = node.source ?? String(node.value ?? '')
    switch (node.tag) {
      case undefined:
        return node.type === 'PLAIN' || node.type === undefined ? this.#plain(node, source) : source
      case '!':
      case 'tag:yaml.org,2002:str':
        return source
      case 'tag:yaml.org,2002:int':
      case 'tag:yaml.org,2002:float':
      case 'tag:yaml.org,2002:bool':
      case 'tag:yaml.org,2002:null':
        return this.#plain(node, source)
    }
    throw this.#unknownTag(node, node.tag)
  }

  #unknownTag(node: Node, tag: string): PfaError {
    return this.#error(node, `the tag ${tag} has no meaning in PFA: remove it`)
  }

  #plain(node: Node, source: string): DocumentValue {
    if (/^(?:~|null|Null|NULL)?$/.test(source)) return null
    if (/^(?:true|True|TRUE)$/.test(source)) return true
    if (/^(?:false|False|FALSE)$/.test(source)) return false
    if (/^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/.test(source)) {
      throw this.#error(node, `${source} is no number of PFA: in data write "Infinity", "-Infinity" or "NaN" in quotes`)
    }
    const number = jsonNumber(source)
    return number === undefined ? source : new NumberLexeme(number)
  }
}

function collection(value: DocumentValue, parts: readonly Read[]): Read {
  let size = 1
  let height = 0
  for (const part of parts) {
    size += part.size
    height = Math.max(height, part.height)
  }
  return { value, size, height: height + 1 }
}

/** The same number as JSON writes it, `undefined` when the text is no number of the core schema. */
function jsonNumber(source: string): string | undefined {
  if (/^0o[0-7]+$|^0x[0-9a-fA-F]+$/.test(source)) return BigInt(source).toString()
  const parts = /^([-+]?)(?:(\d+)(\.\d*)?|(\.\d+))([eE][-+]?\d+)?$/.exec(source)
  if (parts === null) return undefined
  const [, sign, whole = '0', fraction, bareFraction, exponent = ''] = parts
  const digits = whole.replace(/^0+(?=\d)/, '')
  const decimals = fraction === '.' ? '.0' : (fraction ?? bareFraction ?? '')
  return `${sign === '-' ? '-' : ''}${digits}${decimals}${exponent}`
}

function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0
}

function yamlMessage(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1)
}
