// The library module `re`: haystacks and patterns, both strings or both bytes, come in; places and parts go out.
//
// Places are byte offsets, in strings those of their UTF-8 form. Nothing is found in or at the end of a haystack that has
// no more units, and groups that took no part in a match are left out.
import type { Regex, Span } from '../regex/regex.ts'
import type { CallSite, Implementation, LibraryModule } from './library.ts'
import { bytesSide, type Haystack, type Side, stringSide } from './regex/side.ts'

type Found = readonly (Span | undefined)[]

/** A call with both ends known: the pattern compiled, the haystack in units. */
interface Search {
  readonly haystack: Haystack<unknown>
  first(): Span | undefined
  firstGroups(): Found
  all(): Span[]
  allGroups(): Found[]
}

function search(regex: Regex, haystack: Haystack<unknown>, tick: () => void): Search {
  const { units } = haystack
  /** After an empty match, the search goes on one unit further. */
  const repeat = <Match>(find: (from: number) => Match | undefined, spanOf: (match: Match) => Span): Match[] => {
    const matches: Match[] = []
    for (let from = 0; from < units.length; ) {
      const match = find(from)
      if (match === undefined) break
      matches.push(match)
      const { start, end } = spanOf(match)
      from = end > start ? end : end + 1
    }
    return matches
  }
  const find = (from: number) => regex.search(units, from, tick)
  const findGroups = (from: number) => regex.searchGroups(units, from, tick)
  return {
    haystack,
    first: () => (units.length === 0 ? undefined : find(0)),
    firstGroups: () => (units.length === 0 ? [] : (findGroups(0) ?? [])),
    all: () => repeat(find, (match) => match),
    allGroups: () => repeat(findGroups, (match) => match[0]!),
  }
}

/** The signatures over strings and over bytes share everything but how they see their haystack. */
function onBoth(code: number, answer: (found: Search, replacement: unknown) => unknown): Implementation {
  return (site) => {
    const side = (site.params[0]?.kind === 'string' ? stringSide : bytesSide) as Side<unknown>
    const compile = compiler(site, code, side)
    const tick = () => site.host.tick()
    return (haystack: unknown, pattern: unknown, replacement: unknown) =>
      answer(search(compile(pattern), side.haystack(haystack), tick), replacement)
  }
}

/** Mostly, the pattern is the same in every call: then it is not even looked up. */
function compiler(site: CallSite, code: number, side: Side<unknown>): (pattern: unknown) => Regex {
  let last: unknown
  let compiled: Regex | undefined
  return (pattern) => {
    if (compiled === undefined || pattern !== last) {
      compiled = side.regex(pattern)
      if (compiled === undefined) throw site.error(code)
      last = pattern
    }
    return compiled
  }
}

const places = ({ haystack }: Search, span: Span) => [haystack.byteOffset(span.start), haystack.byteOffset(span.end)]
const part = ({ haystack }: Search, span: Span) => haystack.slice(span.start, span.end)
const taking = (found: Found) => found.filter((span) => span !== undefined)

function replace({ haystack }: Search, spans: readonly Span[], replacement: unknown): unknown {
  if (spans.length === 0) return haystack.whole
  const pieces: unknown[] = []
  let from = 0
  for (const { start, end } of spans) {
    pieces.push(haystack.slice(from, start), replacement)
    from = end
  }
  pieces.push(haystack.slice(from, haystack.units.length))
  return haystack.join(pieces)
}

/** What stands before, between and after the matches; where nothing stands before the first or after the last, no piece. */
function split({ haystack }: Search, spans: readonly Span[]): unknown[] {
  if (spans.length === 0) return [haystack.whole]
  const pieces: unknown[] = []
  let from = 0
  for (const { start, end } of spans) {
    pieces.push(haystack.slice(from, start))
    from = end
  }
  if (from < haystack.units.length) pieces.push(haystack.slice(from, haystack.units.length))
  return spans[0]!.start === 0 ? pieces.slice(1) : pieces
}

export const regex: LibraryModule = {
  're.index': onBoth(35000, (found) => {
    const first = found.first()
    return first === undefined ? [] : places(found, first)
  }),
  're.contains': onBoth(35010, (found) => found.first() !== undefined),
  're.count': onBoth(35020, (found) => found.all().length),
  're.rindex': onBoth(35030, (found) => {
    const last = found.all().at(-1)
    return last === undefined ? [] : places(found, last)
  }),
  're.groups': onBoth(35040, (found) => taking(found.firstGroups()).map((span) => places(found, span))),
  're.indexall': onBoth(35050, (found) => found.all().map((span) => places(found, span))),
  're.findall': onBoth(35060, (found) => found.all().map((span) => part(found, span))),
  're.findfirst': onBoth(35070, (found) => {
    const first = found.first()
    return first === undefined ? null : part(found, first)
  }),
  're.findgroupsfirst': onBoth(35080, (found) => taking(found.firstGroups()).map((span) => part(found, span))),
  're.findgroupsall': onBoth(35090, (found) =>
    found.allGroups().map((groups) => taking(groups).map((span) => part(found, span))),
  ),
  're.groupsall': onBoth(35100, (found) =>
    found.allGroups().map((groups) => taking(groups).map((span) => places(found, span))),
  ),
  're.replacefirst': onBoth(35110, (found, replacement) => {
    const first = found.first()
    return replace(found, first === undefined ? [] : [first], replacement)
  }),
  're.replacelast': onBoth(35120, (found, replacement) => replace(found, found.all().slice(-1), replacement)),
  're.split': onBoth(35130, (found) => split(found, found.all())),
  're.replaceall': onBoth(35140, (found, replacement) => replace(found, found.all(), replacement)),
}
