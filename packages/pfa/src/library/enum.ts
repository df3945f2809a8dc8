// The library module `enum`: symbols come in, their names and places go out.
import type { EnumType } from '@pitot/avro'
import { valueType } from './argument.ts'
import type { CallSite, LibraryModule } from './library.ts'

function symbolsOf(site: CallSite): readonly string[] {
  return (valueType(site, 0) as EnumType).symbols
}

export const enumeration: LibraryModule = {
  'enum.toString': () => (x: string) => x,
  'enum.toInt': (site) => {
    const places = new Map(symbolsOf(site).map((symbol, place) => [symbol, place]))
    return (x: string) => places.get(x)
  },
  'enum.numSymbols': (site) => {
    const count = symbolsOf(site).length
    return () => count
  },
}
