import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PitotError } from '../src/errors.ts'
import { modelContentType, modelLanguage, pfaForm } from '../src/model-types.ts'

/** The content types of the contract, sections 4.1 and 1.5, and the short name each one stands for. */
const words: [word: string, language: string][] = [
  ['pfa+json', 'pfa-json'],
  ['pfa-json', 'pfa-json'],
  ['pfa-yaml', 'pfa-yaml'],
  ['pfa-pretty', 'pfa-pretty'],
  ['python', 'python'],
  ['python2', 'python'],
  ['python3', 'python3'],
  ['r', 'r'],
  ['c', 'c'],
  ['java', 'java'],
  ['scala', 'scala'],
  ['erlang', 'erlang'],
  ['h2o-java', 'h2o-java'],
  ['m', 'octave'],
  ['jupyter', 'jupyter'],
  ['sas', 'sas'],
  ['javascript', 'javascript'],
  ['typescript', 'typescript'],
]
const obsolete: [type: string, language: string][] = [
  ['application/vnd.pfa+json', 'pfa-json'],
  ['application/json', 'pfa-json'],
  ['application/vnd.ppfa', 'pfa-pretty'],
  ['application/x-yaml', 'pfa-yaml'],
  ['application/x-r', 'r'],
  ['application/x-python', 'python'],
  ['application/x-python2', 'python'],
  ['application/x-python3', 'python3'],
]
const known =
  'pfa+json, pfa-json, pfa-yaml, pfa-pretty, javascript, typescript, python, python2, python3, r, c, java, scala, erlang, h2o-java, m, octave, jupyter, sas'

function refusal(type: string): PitotError {
  try {
    modelLanguage(type)
  } catch (error) {
    if (error instanceof PitotError) return error
    throw error
  }
  throw new Error(`'${type}' was taken`)
}

describe('modelLanguage', () => {
  describe.each(['pitot', 'service', 'fastscore', 'x', 'my-company2'])('with the vendor word %s', (vendor) => {
    test.each(words)('%s is %s', (word, language) => {
      expect(modelLanguage(`application/vnd.${vendor}.model-${word}`)).toBe(language)
    })
  })

  test.each(obsolete)('the obsolete %s is %s', (type, language) => {
    expect(modelLanguage(type)).toBe(language)
  })

  const spellings: [string, string][] = [
    ['Application/VND.FastScore.Model-Python3', 'python3'],
    ['application/vnd.pitot.model-r; charset=utf-8', 'r'],
    ['  application/vnd.pitot.model-r  ;x=y', 'r'],
    ['application/json;charset=UTF-8', 'pfa-json'],
  ]
  test.each(spellings)('%j is %s: case, spaces and parameters do not matter', (type, language) => {
    expect(modelLanguage(type)).toBe(language)
  })

  const near: [string, string][] = [
    ['application/vnd.pitot.model-pyton', "; did you mean 'python'?"],
    ['application/vnd.pitot.model-javascirpt', "; did you mean 'javascript'?"],
    ['application/vnd.other.model-pfa', ''],
    ['application/vnd.pitot.model-cobol', ''],
    ['text/plain', ''],
    ['', ''],
    ['application/vnd.pitot.model-', ''],
    ['application/vnd..model-r', ''],
    ['application/vnd.a/b.model-r', ''],
    ['xapplication/vnd.pitot.model-r', ''],
    // What a plain object would know by itself.
    ['constructor', ''],
    ['__proto__', ''],
    ['application/vnd.pitot.model-constructor', ''],
    ['application/vnd.pitot.model-__proto__', ''],
  ]
  test.each(near)('%j is refused with the known words%s', (type, suggestion) => {
    const error = refusal(type)
    expect(error.code).toBe('bad-model-type')
    expect(error.status).toBe(400)
    expect(error.message).toBe(
      `content type '${type}' does not name a model language${suggestion}; use application/vnd.pitot.model-LANGUAGE with one of: ${known}`,
    )
  })

  test('any text gives a short name or a refusal, nothing else', () => {
    const type = fc.oneof(
      fc.string(),
      fc.string().map((word) => `application/vnd.pitot.model-${word}`),
      fc
        .tuple(fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/), fc.constantFrom(...words))
        .map(([v, [w]]) => `application/vnd.${v}.model-${w}`),
    )
    fc.assert(
      fc.property(type, (given) => {
        let language: unknown
        try {
          language = modelLanguage(given)
        } catch (error) {
          expect((error as PitotError).code).toBe('bad-model-type')
          return
        }
        expect(language).toMatch(/^[a-z0-9-]+$/)
      }),
    )
  })
})

describe('modelContentType', () => {
  const words: [given: string, language: string][] = [
    ['pfa', 'pfa-json'],
    ['pfa-json', 'pfa-json'],
    ['pfa-pretty', 'pfa-pretty'],
    ['python', 'python'],
    ['python2', 'python'],
    [' Python3 ', 'python3'],
    ['R', 'r'],
    ['javascript', 'javascript'],
    ['application/x-python3', 'python3'],
    ['application/vnd.fastscore.model-r; charset=utf-8', 'r'],
  ]
  test.each(words)('%j is a type of %j', (given, language) => {
    expect(modelLanguage(modelContentType(given))).toBe(language)
  })

  test.each(['', 'cobol', '../r'])('%j is a type of nothing', (given) => {
    expect(() => modelLanguage(modelContentType(given))).toThrow(/does not name a model language/)
  })
})

describe('pfaForm', () => {
  const forms: [string, string | undefined][] = [
    ['pfa-json', 'json'],
    ['pfa-yaml', 'yaml'],
    ['pfa-pretty', 'pretty'],
    ['pfa-xml', undefined],
    ['pfa', undefined],
    ['pfa-', undefined],
    ['json', undefined],
    ['python', undefined],
    ['', undefined],
  ]
  test.each(forms)('the form of %j is %j', (language, form) => {
    expect(pfaForm(language)).toBe(form)
  })
})
