// Functions of the document applied to arrays: map, filter, zip, reduce, fold and tests.
import { isNull } from '../argument.ts'
import type { CallSite, LibraryModule } from '../library.ts'
import { checkLength } from '../size.ts'

type Items = readonly unknown[]
// biome-ignore lint/suspicious/noExplicitAny: functions of the document have the parameters of the signature
type Call<Result = unknown> = (...args: any[]) => Result

/** Raises `code` where the arrays differ in length. */
function checkAligned(site: CallSite, code: number, length: number, ...others: Items[]): void {
  for (const other of others) if (other.length !== length) throw site.error(code)
}

function append(result: unknown[], more: Items): void {
  checkLength(result.length + more.length)
  for (let i = 0; i < more.length; i++) result.push(more[i])
}

export const functional: LibraryModule = {
  'a.map': () => (a: Items, fcn: Call) => {
    const result = new Array<unknown>(a.length)
    for (let i = 0; i < a.length; i++) result[i] = fcn(a[i])
    return result
  },
  'a.mapWithIndex': () => (a: Items, fcn: Call) => {
    const result = new Array<unknown>(a.length)
    for (let i = 0; i < a.length; i++) result[i] = fcn(i, a[i])
    return result
  },
  'a.filter': () => (a: Items, fcn: Call<boolean>) => {
    const result: unknown[] = []
    for (let i = 0; i < a.length; i++) if (fcn(a[i])) result.push(a[i])
    return result
  },
  'a.filterWithIndex': () => (a: Items, fcn: Call<boolean>) => {
    const result: unknown[] = []
    for (let i = 0; i < a.length; i++) if (fcn(i, a[i])) result.push(a[i])
    return result
  },
  'a.filterMap': () => (a: Items, fcn: Call) => {
    const result: unknown[] = []
    for (let i = 0; i < a.length; i++) {
      const value = fcn(a[i])
      if (!isNull(value)) result.push(value)
    }
    return result
  },
  'a.filterMapWithIndex': () => (a: Items, fcn: Call) => {
    const result: unknown[] = []
    for (let i = 0; i < a.length; i++) {
      const value = fcn(i, a[i])
      if (!isNull(value)) result.push(value)
    }
    return result
  },
  'a.flatMap': () => (a: Items, fcn: Call<Items>) => {
    const result: unknown[] = []
    for (let i = 0; i < a.length; i++) append(result, fcn(a[i]))
    return result
  },
  'a.flatMapWithIndex': () => (a: Items, fcn: Call<Items>) => {
    const result: unknown[] = []
    for (let i = 0; i < a.length; i++) append(result, fcn(i, a[i]))
    return result
  },
  'a.zipmap': (site) => {
    switch (site.params.length) {
      case 3:
        return (a: Items, b: Items, fcn: Call) => {
          checkAligned(site, 15650, a.length, b)
          const result = new Array<unknown>(a.length)
          for (let i = 0; i < a.length; i++) result[i] = fcn(a[i], b[i])
          return result
        }
      case 4:
        return (a: Items, b: Items, c: Items, fcn: Call) => {
          checkAligned(site, 15650, a.length, b, c)
          const result = new Array<unknown>(a.length)
          for (let i = 0; i < a.length; i++) result[i] = fcn(a[i], b[i], c[i])
          return result
        }
      default:
        return (a: Items, b: Items, c: Items, d: Items, fcn: Call) => {
          checkAligned(site, 15650, a.length, b, c, d)
          const result = new Array<unknown>(a.length)
          for (let i = 0; i < a.length; i++) result[i] = fcn(a[i], b[i], c[i], d[i])
          return result
        }
    }
  },
  'a.zipmapWithIndex': (site) => {
    switch (site.params.length) {
      case 3:
        return (a: Items, b: Items, fcn: Call) => {
          checkAligned(site, 15660, a.length, b)
          const result = new Array<unknown>(a.length)
          for (let i = 0; i < a.length; i++) result[i] = fcn(i, a[i], b[i])
          return result
        }
      case 4:
        return (a: Items, b: Items, c: Items, fcn: Call) => {
          checkAligned(site, 15660, a.length, b, c)
          const result = new Array<unknown>(a.length)
          for (let i = 0; i < a.length; i++) result[i] = fcn(i, a[i], b[i], c[i])
          return result
        }
      default:
        return (a: Items, b: Items, c: Items, d: Items, fcn: Call) => {
          checkAligned(site, 15660, a.length, b, c, d)
          const result = new Array<unknown>(a.length)
          for (let i = 0; i < a.length; i++) result[i] = fcn(i, a[i], b[i], c[i], d[i])
          return result
        }
    }
  },
  'a.reduce': (site) => (a: Items, fcn: Call) => {
    if (a.length === 0) throw site.error(15670)
    let tally = a[0]
    for (let i = 1; i < a.length; i++) tally = fcn(tally, a[i])
    return tally
  },
  'a.reduceRight': (site) => (a: Items, fcn: Call) => {
    if (a.length === 0) throw site.error(15680)
    let tally = a[a.length - 1]
    for (let i = a.length - 2; i >= 0; i--) tally = fcn(a[i], tally)
    return tally
  },
  'a.fold': () => (a: Items, zero: unknown, fcn: Call) => {
    let tally = zero
    for (let i = 0; i < a.length; i++) tally = fcn(tally, a[i])
    return tally
  },
  'a.foldRight': () => (a: Items, zero: unknown, fcn: Call) => {
    let tally = zero
    for (let i = a.length - 1; i >= 0; i--) tally = fcn(a[i], tally)
    return tally
  },
  'a.takeWhile': () => (a: Items, fcn: Call<boolean>) => {
    let end = 0
    while (end < a.length && fcn(a[end])) end++
    return a.slice(0, end)
  },
  'a.dropWhile': () => (a: Items, fcn: Call<boolean>) => {
    let start = 0
    while (start < a.length && fcn(a[start])) start++
    return a.slice(start)
  },
  'a.any': () => (a: Items, fcn: Call<boolean>) => {
    for (let i = 0; i < a.length; i++) if (fcn(a[i])) return true
    return false
  },
  'a.all': () => (a: Items, fcn: Call<boolean>) => {
    for (let i = 0; i < a.length; i++) if (!fcn(a[i])) return false
    return true
  },
  'a.corresponds': () => (a: Items, b: Items, fcn: Call<boolean>) => {
    if (a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) if (!fcn(a[i], b[i])) return false
    return true
  },
  'a.correspondsWithIndex': () => (a: Items, b: Items, fcn: Call<boolean>) => {
    if (a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) if (!fcn(i, a[i], b[i])) return false
    return true
  },
}
