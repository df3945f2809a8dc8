import { modelManageOperations } from '@pitot/api'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { routeFinder } from '../src/route-finder.ts'
import { thingOperations } from './things.ts'

const find = routeFinder(thingOperations)

describe('routeFinder', () => {
  const unknown: [url: string, sentence: string][] = [
    ['/1/helth', 'there is no /1/helth here; did you mean /1/health?'],
    ['/1/health/', 'there is no /1/health/ here; did you mean /1/health?'],
    ['/health', 'there is no /health here; did you mean /1/health?'],
    ['/1/Health?x=1', 'there is no /1/Health here; did you mean /1/health?'],
    ['/', 'there is no / here'],
    ['/favicon.ico', 'there is no /favicon.ico here'],
    [`/${'x'.repeat(200)}`, `there is no /${'x'.repeat(200)} here`],
    ['/1/thing/a/b/c', 'there is no /1/thing/a/b/c here'],
  ]
  test.each(unknown)('%s is not known', (url, sentence) => {
    const error = find('GET', url)
    expect(error.code).toBe('unknown-path')
    expect(error.status).toBe(404)
    expect(error.message).toBe(sentence)
    expect(error.headers).toEqual({})
  })

  const wrong: [method: string, url: string, path: string, allow: string][] = [
    ['POST', '/1/health', '/1/health', 'GET, HEAD'],
    ['DELETE', '/1/thing/a?x=1', '/1/thing/a', 'GET, HEAD, PUT'],
    ['GET', '/1/scale', '/1/scale', 'POST'],
    ['HEAD', '/1/scale', '/1/scale', 'POST'],
    ['PATCH', '/1/stream', '/1/stream', 'GET, HEAD'],
    ['GET', '/1/thing/a%2Fb/part/c', '/1/thing/a%2Fb/part/c', 'PUT'],
    // The name is empty here too, but no other name would help.
    ['POST', '/1/thing/', '/1/thing/', 'GET, HEAD, PUT'],
  ]
  test.each(wrong)('%s is not possible on %s', (method, url, path, allow) => {
    const error = find(method, url)
    expect(error.code).toBe('wrong-method')
    expect(error.status).toBe(405)
    expect(error.message).toBe(`${method} is not possible on ${path}; possible: ${allow}`)
    expect(error.headers).toEqual({ allow })
  })

  const empty: [method: string, url: string, what: string][] = [
    ['GET', '/1/thing/', 'thing'],
    ['PUT', '/1/thing/?x=1', 'thing'],
    ['PUT', '/1/thing//part/a', 'thing'],
    ['PUT', '/1/thing/a/part/', 'part'],
    ['PUT', '/1/thing//part/', 'thing'],
  ]
  test.each(empty)('%s %s has an empty name', (method, url, what) => {
    const error = find(method, url)
    expect(error.code).toBe('bad-name')
    expect(error.status).toBe(400)
    expect(error.message).toBe(`the ${what} name is empty`)
  })

  test('any path gives one of the three answers, in one line', () => {
    const all = routeFinder(modelManageOperations)
    const segment = fc.constantFrom('1', 'model', 'modle', 'attachment', 'stream', 'a b', '', '%2F', '{model}', '(.*)')
    const path = fc.array(segment, { maxLength: 6 }).map((segments) => `/${segments.join('/')}`)
    fc.assert(
      fc.property(
        fc.constantFrom('GET', 'PUT', 'POST', 'OPTIONS'),
        fc.oneof(path, fc.string({ unit: 'binary' })),
        (method, url) => {
          const error = all(method, url)
          expect(['unknown-path', 'wrong-method', 'bad-name']).toContain(error.code)
          expect(error.message).not.toMatch(/[\r\n]/)
          if (error.code === 'wrong-method') expect(error.headers.allow).toMatch(/^[A-Z]+(, [A-Z]+)*$/)
        },
      ),
    )
  })
})
