// What a model's comments tell the engine: source text comes in; slots, schemas by name, record sets and libraries go out.
import { didYouMean, failure } from '@pitot/api'

export interface AnnotatedSlot {
  /** Even: input. Odd: output. */
  readonly slot: number
  /** Name of a schema, or Avro JSON; absent where none is said. */
  readonly schema?: unknown
  /** Where the schema stands, for sentences. */
  readonly schemaLine?: number
  readonly recordsets: boolean
  /** The function that takes the records of an input; null for a slot that is not used. */
  readonly action: string | null
}

export interface Annotations {
  readonly slots: readonly AnnotatedSlot[]
  readonly snapshots: 'none' | 'eof'
  /** Libraries that come with the attachments. */
  readonly attached: readonly string[]
  readonly warnings: readonly string[]
}

/** What begins a comment; languages that are not here say all this in other ways. */
const commentMarks: Readonly<Record<string, string>> = {
  python: '#',
  python3: '#',
  r: '#',
  javascript: '//',
  typescript: '//',
}

const none: Annotations = { slots: [], snapshots: 'none', attached: [], warnings: [] }

/** Throws `bad-annotation` for what cannot be; what is only not known becomes a warning. */
export function readAnnotations(language: string, source: string): Annotations {
  const mark = Object.hasOwn(commentMarks, language) ? commentMarks[language] : undefined
  if (mark === undefined) return none
  const reader = new AnnotationReader()
  for (const comment of commentsOf(mark, source)) reader.take(comment)
  return reader.annotations()
}

interface Comment {
  readonly line: number
  readonly vendor: string
  readonly tag: string
  readonly scope: string | undefined
  readonly value: string
}

/** Words that stand before the tag in models written for this and other systems. */
const vendors: ReadonlySet<string> = new Set(['pitot', 'fastscore', 'modelop', 'service'])
const tags = ['input', 'output', 'recordsets', 'snapshots', 'schema', 'action', 'slot', 'module-attached'] as const
type Tag = (typeof tags)[number]

/**
 * Whole-line comments such as `# pitot.input: SCHEMA`. Any vendor's word may stand in the place of `pitot`; but a word that
 * is no known vendor's may just as well be a comment on `self.input`, so there the colon and a value of one piece are needed.
 */
function commentsOf(mark: string, source: string): Comment[] {
  const pattern = new RegExp(
    `^[ \\t]*${mark}[ \\t]*([A-Za-z]\\w*)\\.([A-Za-z]\\w*(?:-\\w+)*)(?:\\.([\\w$-]+))?([ \\t]*:[ \\t]*|[ \\t]+)(\\S.*)$`,
  )
  const found: Comment[] = []
  for (const [index, text] of source.split('\n').entries()) {
    const [, vendor, tag, scope, separator, value] = pattern.exec(text.trimEnd()) ?? []
    if (vendor === undefined) continue
    if (!vendors.has(vendor.toLowerCase()) && !(separator!.includes(':') && isTag(tag!) && /^[{["]|^\S+$/.test(value!)))
      continue
    found.push({ line: index + 1, vendor, tag: tag!, scope, value: value! })
  }
  return found
}

function isTag(word: string): word is Tag {
  return (tags as readonly string[]).includes(word)
}

/** Which slots a rule is for. The more exactly it says so, the more it counts; of equal ones the last. */
interface Scope {
  readonly exactness: 0 | 1 | 2
  readonly slot?: number
  readonly covers: (slot: number) => boolean
}

const everything: Scope = { exactness: 0, covers: () => true }
const inputs: Scope = { exactness: 1, covers: (slot) => slot % 2 === 0 }
const outputs: Scope = { exactness: 1, covers: (slot) => slot % 2 === 1 }
const oneSlot = (slot: number): Scope => ({ exactness: 2, slot, covers: (other) => other === slot })

const namedScopes: Readonly<Record<string, Scope>> = {
  $all: everything,
  $in: inputs,
  $input: inputs,
  $out: outputs,
  $output: outputs,
  in: oneSlot(0),
  input: oneSlot(0),
  out: oneSlot(1),
  output: oneSlot(1),
}

const truths: Readonly<Record<string, boolean>> = { true: true, yes: true, false: false, no: false }
const recordsetWords: Readonly<Record<string, readonly [inputs: boolean, outputs: boolean]>> = {
  none: [false, false],
  input: [true, false],
  output: [false, true],
  both: [true, true],
}
const highestSlot = 1023

interface Rule<Value> {
  readonly scope: Scope
  readonly value: Value
  readonly line: number
}

class AnnotationReader {
  readonly #schemas: Rule<unknown>[] = []
  readonly #recordsets: Rule<boolean>[] = []
  readonly #actions: Rule<string | null>[] = []
  /** In the order of the source: to name a slot is to use it, until it is called unused. */
  readonly #uses: Rule<boolean>[] = []
  readonly #attached: string[] = []
  readonly #warnings: string[] = []
  #snapshots: 'none' | 'eof' = 'none'

  take(comment: Comment): void {
    const { tag, line, vendor, scope } = comment
    if (!isTag(tag)) this.#warnings.push(`line ${line}: '${vendor}.${tag}' is not known${didYouMean(tag, tags)}`)
    else if (scope !== undefined && isSlotName(scope)) this.#warnings.push(`line ${line}: ${unknownSlot(scope)}`)
    else this.#readers[tag](comment)
  }

  annotations(): Annotations {
    const named = this.#uses.map(({ scope }) => scope.slot).filter((slot) => slot !== undefined)
    const slots = [...new Set([0, 1, ...named])].sort((a, b) => a - b).map((slot) => this.#slot(slot))
    this.#requireAction(slots)
    return {
      slots,
      snapshots: this.#snapshots,
      attached: this.#attached,
      warnings: this.#warnings,
    }
  }

  /** Models that call no function for their records read them themselves, which no runner lets them do. */
  #requireAction(slots: readonly AnnotatedSlot[]): void {
    const none = this.#actions.findLast(({ value }) => value === null)
    if (none === undefined || slots.some(({ slot, action }) => slot % 2 === 0 && action !== null)) return
    throw failure('bad-annotation', {
      line: none.line,
      reason: 'no input is left with an action; models that read their streams themselves cannot be run',
    })
  }

  #slot(slot: number): AnnotatedSlot {
    const schema = strongest(this.#schemas, slot)
    const action = strongest(this.#actions, slot)
    const isUsed = (this.#uses.findLast(({ scope }) => scope.covers(slot))?.value ?? true) && action?.value !== null
    return {
      slot,
      ...(schema !== undefined && { schema: schema.value, schemaLine: schema.line }),
      recordsets: strongest(this.#recordsets, slot)?.value ?? false,
      action: isUsed ? (action?.value ?? 'action') : null,
    }
  }

  readonly #readers: Readonly<Record<Tag, (comment: Comment) => void>> = {
    input: (comment) => this.#addSchema(comment, unscoped(comment, oneSlot(0))),
    output: (comment) => this.#addSchema(comment, unscoped(comment, oneSlot(1))),
    schema: (comment) => this.#addSchema(comment, scopeOf(comment, everything)),
    recordsets: (comment) => this.#addRecordsets(comment),
    snapshots: (comment) => {
      unscoped(comment, everything)
      this.#snapshots = choice(comment, { none: 'none', eof: 'eof' })
    },
    action: (comment) => this.#addAction(comment),
    slot: (comment) => {
      const value = choice(comment, { 'in-use': true, unused: false })
      this.#uses.push({ scope: scopeOf(comment, everything), value, line: comment.line })
    },
    'module-attached': (comment) => {
      unscoped(comment, everything)
      this.#attached.push(...comment.value.split(/[\s,]+/).filter((word) => word !== ''))
    },
  }

  #addSchema(comment: Comment, scope: Scope): void {
    this.#schemas.push({ scope, value: schemaOf(comment), line: comment.line })
    this.#mention(scope, comment)
  }

  #mention(scope: Scope, { line }: Comment): void {
    if (scope.slot !== undefined) this.#uses.push({ scope, value: true, line })
  }

  #addRecordsets(comment: Comment): void {
    const { line } = comment
    if (comment.scope !== undefined) {
      const scope = scopeOf(comment, everything)
      this.#recordsets.push({ scope, value: choice(comment, truths), line })
      this.#mention(scope, comment)
      return
    }
    const both = {
      true: recordsetWords.both!,
      yes: recordsetWords.both!,
      false: recordsetWords.none!,
      no: recordsetWords.none!,
    }
    const [forInputs, forOutputs] = choice(comment, { ...recordsetWords, ...both })
    this.#recordsets.push({ scope: inputs, value: forInputs, line }, { scope: outputs, value: forOutputs, line })
  }

  #addAction(comment: Comment): void {
    const { value, line } = comment
    const scope = scopeOf(comment, inputs)
    if (value !== 'none' && value !== 'unused' && !/^[\p{ID_Start}_.$][\p{ID_Continue}.$]*$/u.test(value)) {
      throw wrong(comment, `'${value}' is not the name of a function, 'none' or 'unused'`)
    }
    if (scope.slot !== undefined && scope.slot % 2 === 1) {
      this.#warnings.push(`line ${line}: slot ${scope.slot} is an output; only inputs have an action`)
      return
    }
    this.#actions.push({ scope, value: value === 'none' || value === 'unused' ? null : value, line })
    this.#mention(scope, comment)
  }
}

function strongest<Value>(rules: readonly Rule<Value>[], slot: number): Rule<Value> | undefined {
  let best: Rule<Value> | undefined
  for (const rule of rules) {
    if (rule.scope.covers(slot) && rule.scope.exactness >= (best?.scope.exactness ?? 0)) best = rule
  }
  return best
}

function scopeOf(comment: Comment, usual: Scope): Scope {
  const { scope } = comment
  if (scope === undefined) return usual
  if (Object.hasOwn(namedScopes, scope)) return namedScopes[scope]!
  if (/^\d{1,4}$/.test(scope) && Number(scope) <= highestSlot) return oneSlot(Number(scope))
  throw wrong(comment, unknownSlot(scope))
}

/** Slots have had names elsewhere; here they have numbers, so what is said of a name says nothing. */
function isSlotName(scope: string): boolean {
  return /^[A-Za-z_]/.test(scope) && !Object.hasOwn(namedScopes, scope)
}

function unknownSlot(scope: string): string {
  const known = Object.keys(namedScopes)
  return `'${scope}' is no slot${didYouMean(scope, known)}; slots are numbers up to ${highestSlot}, ${known.join(', ')}`
}

function unscoped(comment: Comment, scope: Scope): Scope {
  if (comment.scope !== undefined) throw wrong(comment, `it is not for a slot; leave out '.${comment.scope}'`)
  return scope
}

function choice<Value>(comment: Comment, values: Readonly<Record<string, Value>>): Value {
  const word = comment.value.toLowerCase()
  if (Object.hasOwn(values, word)) return values[word]!
  const known = Object.keys(values)
  throw wrong(comment, `'${comment.value}' is not one of ${known.join(', ')}${didYouMean(word, known)}`)
}

/** A name, or a schema written out. */
function schemaOf(comment: Comment): unknown {
  if (!/^[{["]/.test(comment.value)) return comment.value
  try {
    return JSON.parse(comment.value)
  } catch (error) {
    throw wrong(comment, `the schema is not valid JSON: ${(error as Error).message}`)
  }
}

function wrong({ line, vendor, tag }: Comment, reason: string) {
  return failure('bad-annotation', { line, reason: `${vendor}.${tag}: ${reason}` })
}
