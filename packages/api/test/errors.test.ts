import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ErrorCode, errorCatalogue, failure, PitotError } from '../src/errors.ts'

const codes = Object.keys(errorCatalogue) as ErrorCode[]
const wordsOf = (code: ErrorCode) => [...errorCatalogue[code].text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)

/** Any code with any details, past the compiler. */
function anyFailure(code: ErrorCode, details: Record<string, string | number>): PitotError {
  return (failure as (code: ErrorCode, details: Record<string, string | number>) => PitotError)(code, details)
}

describe('the catalogue', () => {
  test.each(codes)('%s has a code, a status, a sentence and help that can be shown', (code) => {
    const entry = errorCatalogue[code]
    expect(code).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
    expect(entry.status).toBeGreaterThanOrEqual(300)
    expect(entry.status).toBeLessThan(600)
    expect(entry.text).toMatch(/^\S.*[^.\s]$/)
    expect(entry.help).toMatch(/^\S.*\.$/)
  })

  const statuses: [ErrorCode, number][] = [
    ['bad-parameter', 403],
    ['missing-parameter', 403],
    ['unknown-parameter', 403],
    ['repeated-parameter', 403],
    ['bad-name', 400],
    ['bad-id', 404],
    ['bad-json', 400],
    ['not-utf8', 400],
    ['unknown-path', 404],
    ['wrong-method', 405],
    ['body-too-large', 413],
    ['url-too-long', 414],
    ['unsupported-encoding', 415],
    ['not-acceptable', 406],
    ['token-needed', 401],
    ['token-wrong', 401],
    ['host-refused', 403],
    ['origin-refused', 403],
    ['precondition-failed', 412],
    ['config-not-set', 404],
    ['connect-not-configured', 403],
    ['no-such-model', 403],
    ['snapshot-ambiguous', 300],
    ['snapshot-not-found', 404],
    ['model-not-found', 404],
    ['bad-model-type', 400],
    ['no-rest-stream', 403],
    ['store-unavailable', 503],
    ['service-stopping', 503],
    ['instance-down', 502],
    ['internal', 500],
  ]
  test.each(statuses)('%s is answered with %i, which clients rely on', (code, status) => {
    expect(errorCatalogue[code].status).toBe(status)
  })
})

describe('failure', () => {
  test('fills in the words of the sentence', () => {
    const error = failure('wrong-method', { method: 'POST', path: '/1/health', allow: 'GET, HEAD' })
    expect(error).toBeInstanceOf(PitotError)
    expect(error.message).toBe('POST is not possible on /1/health; possible: GET, HEAD')
    expect(error.name).toBe('PitotError')
    expect(error.code).toBe('wrong-method')
    expect(error.status).toBe(405)
    expect(error.headers).toEqual({})
  })

  test('fills in a word that occurs twice, and numbers', () => {
    expect(failure('host-refused', { host: 'evil.example' }).message).toBe(
      "this service does not answer to the host name 'evil.example'; start it with --allow-host evil.example if it should",
    )
    expect(failure('attached-sensor-not-found', { id: 7 }).message).toBe('there is no attached sensor 7')
  })

  test('keeps the headers of the answer', () => {
    const error = failure('wrong-method', { method: 'A', path: 'b', allow: 'GET' }, { allow: 'GET' })
    expect(error.headers).toEqual({ allow: 'GET' })
  })

  const verbatim = ['$&', '$1', '$$', '{name}', '{found}', '\\n', '%s', '<b>', "it's"]
  test.each(verbatim)('quotes %j as it is', (name) => {
    expect(failure('model-not-found', { name, detail: '' }).message).toBe(`there is no model '${name}'`)
  })

  test('leaves a detail of 1000 characters whole and cuts a longer one', () => {
    expect(failure('bad-request', { reason: 'x'.repeat(1000) }).message).toBe(
      `the request cannot be read: ${'x'.repeat(1000)}`,
    )
    expect(failure('bad-request', { reason: 'x'.repeat(1001) }).message).toBe(
      `the request cannot be read: ${'x'.repeat(1000)}…`,
    )
  })

  test('makes one space of line breaks and control characters', () => {
    expect(failure('bad-request', { reason: 'a\r\nb\u0000\u001b[31mc\u2028d\u0085e' }).message).toBe(
      'the request cannot be read: a b [31mc d e',
    )
  })

  test('gives one line of well-formed, bounded text with all words filled, whatever the details are', () => {
    const detail = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\n', '\r', '\u2028', '\u0085', 'a', '😀', '\ud800'), maxLength: 2200 }),
    )
    fc.assert(
      fc.property(fc.constantFrom(...codes), detail, (code, text) => {
        const words = wordsOf(code)
        const { message, status } = anyFailure(code, Object.fromEntries(words.map((word) => [word, text])))
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get through
        expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
        expect(message.isWellFormed()).toBe(true)
        expect(message.length).toBeLessThanOrEqual(errorCatalogue[code].text.length + words.length * 1001)
        expect(status).toBe(errorCatalogue[code].status)
      }),
    )
  })

  test.each(codes)('%s leaves no word of its sentence empty', (code) => {
    const words = wordsOf(code)
    const { message } = anyFailure(code, Object.fromEntries(words.map((word) => [word, `<${word}>`])))
    for (const word of words) expect(message).toContain(`<${word}>`)
    expect(message).not.toMatch(/[{}]|undefined/)
  })
})
