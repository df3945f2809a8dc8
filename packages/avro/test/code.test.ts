// No value given to the template can become program text.
import { Code, canEvaluate, code, evaluate, join, objectLiteral, Scope } from '@pitot/avro'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const run = (expression: Code, scope = new Scope()): unknown => evaluate(expression, scope)

const NASTY = [
  '"',
  "'",
  '`',
  '\\',
  '\n',
  '\u2028',
  '\u2029',
  '</script>',
  '<!--',
  '-->',
  '${',
  '}',
  '//',
  '/*',
  '*/',
  '\ud800',
  '\udc00',
  '\0',
  '__proto__',
]
const strings = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.oneof(fc.constantFrom(...NASTY), fc.string()), { maxLength: 8 }).map((parts) => parts.join('')),
)

describe('literals', () => {
  test('any string comes back as it was, alone and between others', () => {
    fc.assert(
      fc.property(strings, strings, (a, b) => {
        expect(run(code`[${a},${b}]`)).toEqual([a, b])
        expect(run(code`"x" + ${a} + 'y' + ${b}`)).toBe(`x${a}y${b}`)
      }),
      { numRuns: 1000 },
    )
  })

  test('the source of a string is one line without markup', () => {
    fc.assert(
      fc.property(strings, (text) => {
        expect(code`${text}`.text).not.toMatch(/[<\n\r\u2028\u2029]/)
        expect(code`${text}`.text.isWellFormed()).toBe(true)
      }),
    )
  })

  test('any key makes an own property, and reads it', () => {
    fc.assert(
      fc.property(fc.uniqueArray(strings), (keys) => {
        const object = run(objectLiteral(keys.map((key, index) => [key, code`${index}`]))) as object
        expect(Object.getPrototypeOf(object)).toBe(Object.prototype)
        expect(Object.keys(object).sort()).toEqual([...keys].sort())
        const scope = new Scope()
        const constant = scope.constant(object)
        for (const [index, key] of keys.entries()) expect(run(code`${constant}[${key}]`, scope)).toBe(index)
      }),
    )
  })

  test('any number comes back as it was', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        expect(run(code`${value}`)).toBe(value)
      }),
    )
    fc.assert(
      fc.property(fc.bigInt(), (value) => {
        expect(run(code`${value}`)).toBe(value)
      }),
    )
    for (const value of [
      0,
      -0,
      1e300,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      true,
      false,
      null,
      undefined,
    ]) {
      expect(run(code`${value}`)).toBe(value)
    }
    expect(run(code`1 -${-1}`)).toBe(2)
    expect(run(code`1n -${-1n}`)).toBe(2n)
  })
})

describe('pieces', () => {
  test('are put in as they are', () => {
    expect(run(code`[${join([code`1`, code`2`], code`, `)}, ${[code`3`, code`, 4`]}]`)).toEqual([1, 2, 3, 4])
  })

  test('cannot be forged', () => {
    expect(() => new Code('alert()', Symbol('x') as never)).toThrow(/tagged template/)
    expect(() => code`${{ text: 'alert()' } as never}`).toThrow(/no literal/)
    expect(() => code`${['alert()'] as never}`).toThrow(/no literal/)
    expect(() => code`${(() => 1) as never}`).toThrow(/no literal/)
    expect(() => code(['alert()'] as never)).toThrow(/a tag/)
  })

  test('cannot stand inside quotes or comments', () => {
    expect(() => code`"${'x'}"`).toThrow(/open quotes/)
    expect(() => code`'${'x'}'`).toThrow(/open quotes/)
    expect(() => code`/* ${'x'} */`).toThrow(/comments/)
    expect(() => code`1 // ${'x'}`).toThrow(/comments/)
    expect(() => code`\`${'x'}\``).toThrow(/backticks/)
  })
})

describe('a scope', () => {
  test('gives every name once, and the same value the same name', () => {
    const scope = new Scope()
    expect(scope.name('a').text).not.toBe(scope.name('a').text)
    const value = {}
    expect(scope.constant(value)).toBe(scope.constant(value))
    expect(scope.constant({})).not.toBe(scope.constant(value))
    expect(run(code`[${scope.constant(value)}, ${scope.constant(Number.NaN)}]`, scope)).toEqual([value, Number.NaN])
  })

  test('takes no foreign characters in names', () => {
    expect(() => new Scope().name('a=alert();b')).toThrow(TypeError)
    expect(() => new Scope().constant(1, 'a1')).toThrow(TypeError)
  })

  test('numbers cannot be glued to a name', () => {
    expect(() => run(code`v${1}`)).toThrow(SyntaxError)
  })
})

test('here code can be evaluated', () => {
  expect(canEvaluate()).toBe(true)
})
