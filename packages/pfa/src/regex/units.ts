// The two kinds of units that patterns run over, code points of strings and bytes, and what is a letter among them.
import type { UnitKind } from './syntax.ts'

function ascii(pattern: RegExp): (unit: number) => boolean {
  return (unit) => unit < 128 && pattern.test(String.fromCharCode(unit))
}

function unicode(pattern: RegExp): (unit: number) => boolean {
  return (unit) => pattern.test(String.fromCodePoint(unit))
}

const ASCII_CLASSES: [string, RegExp][] = [
  ['alpha', /[A-Za-z]/],
  ['digit', /[0-9]/],
  ['alnum', /[A-Za-z0-9]/],
  ['upper', /[A-Z]/],
  ['lower', /[a-z]/],
  ['space', /[ \t-\r]/],
  ['blank', /[ \t]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['print', /[ -~]/],
  ['graph', /[!-~]/],
  ['cntrl', /[^ -~]/],
  ['xdigit', /[0-9A-Fa-f]/],
]

const UNICODE_CLASSES: [string, RegExp][] = [
  ['alpha', /[\p{Alphabetic}\p{M}\p{Nl}]|(?![0-9])\p{Nd}/u],
  ['digit', /[0-9]/],
  ['alnum', /[\p{Alphabetic}\p{M}\p{Nl}\p{Nd}]/u],
  ['upper', /\p{Uppercase}/u],
  ['lower', /\p{Lowercase}/u],
  ['space', /[ \t-\r\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/],
  ['blank', /[ \t\u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]/],
  ['punct', /[!-/:-@[-`{-~]|(?![\0-\x7f])[\p{P}\p{S}]/u],
  ['print', /[^\p{Cc}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]/u],
  ['graph', /[^\p{Cc}\p{Cs}\p{Cn}\p{Z}]/u],
  ['cntrl', /[\p{Cc}\p{Zl}\p{Zp}]/u],
  ['xdigit', /[0-9A-Fa-f]/],
]

export const codePoints: UnitKind = {
  isWord: unicode(/[\p{Alphabetic}\p{M}\p{Nl}\p{Nd}_]/u),
  classes: new Map(UNICODE_CLASSES.map(([name, pattern]) => [name, unicode(pattern)])),
  width: () => 1,
}

export const bytes: UnitKind = {
  isWord: ascii(/[A-Za-z0-9_]/),
  classes: new Map(ASCII_CLASSES.map(([name, pattern]) => [name, ascii(pattern)])),
  /** A character that UTF-8 writes with several bytes stays together. */
  width(units, at) {
    const first = units[at]!
    const width = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1
    for (let i = 1; i < width; i++) {
      const next = units[at + i]
      if (next === undefined || next < 0x80 || next > 0xbf) return 1
    }
    return width
  },
}
