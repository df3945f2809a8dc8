// Parts of arrays and arrays with parts exchanged: arrays and indexes come in, items or new arrays go out.
import type { CallSite, LibraryModule } from '../library.ts'
import { fromEnd, sliceEnd, sliceStart } from '../range.ts'
import { checkLength } from '../size.ts'

type Items = readonly unknown[]

function notEmpty<Result>(site: CallSite, code: number, get: (a: Items) => Result): (a: Items) => Result {
  return (a) => {
    if (a.length === 0) throw site.error(code)
    return get(a)
  }
}

/** A copy of `a` with the items from `start` to `end` exchanged for `replacement`. */
function splice(a: Items, start: number, end: number, replacement: Items): unknown[] {
  const result = new Array<unknown>(a.length - (end - start) + replacement.length)
  let at = 0
  for (let i = 0; i < start; i++) result[at++] = a[i]
  for (let i = 0; i < replacement.length; i++) result[at++] = replacement[i]
  for (let i = end; i < a.length; i++) result[at++] = a[i]
  return result
}

/** The last `count` items and one more. Written out: pushing onto a copy would copy it again. */
function lastAnd(a: Items, count: number, item: unknown): unknown[] {
  const result = new Array<unknown>(count + 1)
  const from = a.length - count
  for (let i = 0; i < count; i++) result[i] = a[from + i]
  result[count] = item
  return result
}

export const access: LibraryModule = {
  'a.len': () => (a: Items) => a.length,
  'a.subseq': () => (a: Items, start: number, end: number) => {
    const from = sliceStart(a.length, start)
    return a.slice(from, sliceEnd(a.length, from, end))
  },
  'a.head': (site) => notEmpty(site, 15020, (a) => a[0]),
  'a.tail': (site) => notEmpty(site, 15030, (a) => a.slice(1)),
  'a.last': (site) => notEmpty(site, 15040, (a) => a[a.length - 1]),
  'a.init': (site) => notEmpty(site, 15050, (a) => a.slice(0, -1)),
  'a.subseqto': () => (a: Items, start: number, end: number, replacement: Items) => {
    const from = sliceStart(a.length, start)
    return splice(a, from, sliceEnd(a.length, from, end), replacement)
  },
  'a.concat': () => (a: Items, b: Items) => {
    checkLength(a.length + b.length)
    return a.concat(b)
  },
  'a.append': () => (a: Items, item: unknown) => lastAnd(a, a.length, item),
  'a.cycle': (site) => (a: Items, item: unknown, maxLength: number) => {
    if (maxLength < 0) throw site.error(15150)
    return maxLength === 0 ? [] : lastAnd(a, Math.min(a.length, maxLength - 1), item)
  },
  'a.insert': (site) => (a: Items, index: number, item: unknown) => {
    const at = fromEnd(a.length, index)
    if (at < 0 || at >= a.length) throw site.error(15160)
    return splice(a, at, at, [item])
  },
  'a.replace': (site) => (a: Items, index: number, item: unknown) => {
    const at = fromEnd(a.length, index)
    if (at < 0 || at >= a.length) throw site.error(15170)
    const result = a.slice()
    result[at] = item
    return result
  },
  'a.remove': (site) =>
    site.params.length === 3
      ? (a: Items, start: number, end: number) => {
          const from = sliceStart(a.length, start)
          return splice(a, from, sliceEnd(a.length, from, end), [])
        }
      : (a: Items, index: number) => {
          const at = fromEnd(a.length, index)
          if (at < 0 || at >= a.length) throw site.error(15180)
          return splice(a, at, at + 1, [])
        },
  'a.rotate': (site) => (a: Items, steps: number) => {
    if (steps < 0) throw site.error(15190)
    if (steps === 0 || a.length === 0) return a
    const start = steps % a.length
    return a.slice(start).concat(a.slice(0, start))
  },
}
