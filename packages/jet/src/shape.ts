// Whether parsed JSON is what a message should hold. A value goes in with its name; a ProtocolError says what is wrong with it.

/** What was read is not what the protocol allows. The sentence says what it was. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}

export type Shape = (value: unknown, name: string) => void

const test =
  (noun: string, isOne: (value: unknown) => boolean): Shape =>
  (value, name) => {
    if (!isOne(value)) throw new ProtocolError(`${name} is not ${noun}`)
  }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const string = test('a string', (value) => typeof value === 'string')
export const boolean = test('true or false', (value) => typeof value === 'boolean')
export const number = test('a number', (value) => typeof value === 'number')

export const whole = (limit: number): Shape =>
  test(`a whole number from 0 to ${limit}`, (value) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= limit)

export const oneOf = (...words: readonly unknown[]): Shape =>
  test(`one of ${words.join(', ')}`, (value) => words.includes(value))

export const anything: Shape = () => undefined

export const nullOr =
  (shape: Shape): Shape =>
  (value, name) => {
    if (value !== null) shape(value, name)
  }

export const listOf =
  (shape: Shape): Shape =>
  (value, name) => {
    if (!Array.isArray(value)) throw new ProtocolError(`${name} is not a list`)
    for (let index = 0; index < value.length; index++) shape(value[index], `${name}[${index}]`)
  }

export const mapOf =
  (shape: Shape): Shape =>
  (value, name) => {
    if (!isObject(value)) throw new ProtocolError(`${name} is not an object`)
    for (const key of Object.keys(value)) shape(value[key], `${name}.${key}`)
  }

/** Fields may be absent when their name ends in `?`; fields that are not named here may be there. */
export const object = (fields: Readonly<Record<string, Shape>>): Shape => {
  const all = Object.entries(fields).map(([name, shape]) => ({
    field: name.replace('?', ''),
    isOptional: name.endsWith('?'),
    shape,
  }))
  return (value, name) => {
    if (!isObject(value)) throw new ProtocolError(`${name} is not an object`)
    for (const { field, isOptional, shape } of all) {
      if (!isOptional || value[field] !== undefined) shape(value[field], `${name}.${field}`)
    }
  }
}
