// Values as JSON text: a type comes in, once; a function from its values to text goes out.
//
// The text is Avro's JSON (unions tagged, bytes as characters up to U+00FF) in ASCII, without spaces. Doubles always show
// that they are doubles; what JSON has no number for is written NaN, Infinity, -Infinity.
import { type AvroType, Branch, branchName } from '@pitot/avro'
import { branchFinder } from '../../runtime/compare.ts'

// biome-ignore lint/suspicious/noExplicitAny: values are typed by the Avro type the writer was made for
type Write = (value: any) => string

export function jsonWriter(type: AvroType): Write {
  return writer(type, new Map())
}

function writer(type: AvroType, known: Map<AvroType, Write>): Write {
  const made = known.get(type)
  if (made !== undefined) return made
  let finished: Write | undefined
  known.set(type, (value) => finished!(value)) // a record may hold itself
  finished = makeWriter(type, known)
  return finished
}

function makeWriter(type: AvroType, known: Map<AvroType, Write>): Write {
  switch (type.kind) {
    case 'null':
    case 'boolean':
    case 'int':
    case 'long':
      return String
    case 'float':
      return (value: number) => (Number.isFinite(value) ? decimal(shortestFloat(value)) : String(value))
    case 'double':
      return (value: number) => (Number.isFinite(value) ? decimal(value) : String(value))
    case 'string':
    case 'enum':
      return quote
    case 'bytes':
    case 'fixed':
      return (value: Uint8Array) => quote(Array.from(value, (byte) => String.fromCharCode(byte)).join(''))
    case 'array': {
      const item = writer(type.items, known)
      return (value: unknown[]) => `[${value.map(item).join(',')}]`
    }
    case 'map': {
      const inner = writer(type.values, known)
      return (value: Map<string, unknown>) =>
        `{${Array.from(value, ([key, entry]) => `${quote(key)}:${inner(entry)}`).join(',')}}`
    }
    case 'record': {
      const fields = type.fields.map(({ name, type }) => ({ name, key: quote(name), write: writer(type, known) }))
      return (value) => `{${fields.map(({ name, key, write }) => `${key}:${write(value[name])}`).join(',')}}`
    }
    case 'union': {
      const branchOf = branchFinder(type)
      const branches = type.branches.map((branch) => {
        const write = writer(branch, known)
        const tag = quote(branchName(branch))
        return branch.kind === 'null' ? write : (value: unknown) => `{${tag}:${write(value)}}`
      })
      return (value) => branches[branchOf(value)]!(value instanceof Branch ? value.value : value)
    }
  }
}

function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The shortest decimal that reads as the same double, with a point or an exponent of two digits or more. */
function decimal(x: number): string {
  if (x === 0) return Object.is(x, -0) ? '-0.0' : '0.0'
  const magnitude = Math.abs(x)
  if (magnitude >= 1e-4 && magnitude < 1e16) return Number.isInteger(x) ? `${x}.0` : String(x)
  const [digits, exponent] = x.toExponential().split('e') as [string, string]
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`
}

/** The double with the fewest digits that rounds to this float. */
function shortestFloat(x: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const shorter = Number(x.toPrecision(digits))
    if (Math.fround(shorter) === x) return shorter
  }
  return Number(x.toPrecision(9))
}
