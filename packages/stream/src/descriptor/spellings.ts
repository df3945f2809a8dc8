// The spellings of the world, and ours: the only file that knows them.
//
// Descriptors have been written for many years, from templates with slips of the pen in them. Each spelling here was seen
// in public material. It is accepted with the same meaning, and told as a warning.

/** Fields: in which section (a transport by `Transport.<type>`), the other spelling, ours. */
const fieldSpellings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Transport.UDP': { Bind: 'BindTo' },
  Envelope: { Seperator: 'Separator' },
}

/** An older client names the address to listen on by the field that names the receiver. */
const inputFieldSpellings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Transport.UDP': { Host: 'BindTo' },
}

/** Words that stand for another, by section. */
const wordSpellings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Transport: { inline: 'debug' },
  Envelope: { deliminated: 'delimited', csv: 'delimited-csv' },
  Encoding: { utf8: 'utf-8', avro: 'avro-binary' },
}

/** Our spelling of a field, among the known ones: the same, another spelling, or another letter case. */
export function fieldSpelling(section: string, name: string, known: readonly string[], isInput: boolean): string {
  const ofInput = isInput ? own(inputFieldSpellings[section], name) : undefined
  if (ofInput !== undefined) return ofInput
  if (known.includes(name)) return name
  const lower = name.toLowerCase()
  const spellings = Object.entries(fieldSpellings[section] ?? {})
  const other = spellings.find(([spelling]) => spelling.toLowerCase() === lower)?.[1]
  return other ?? known.find((candidate) => candidate.toLowerCase() === lower) ?? name
}

/** What a table says itself: every object would have something to say about 'constructor'. */
function own(table: Readonly<Record<string, string>> | undefined, name: string): string | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined
}

/** Our spelling of a word, among the known ones; undefined when it is none of them. */
export function wordSpelling<Word extends string>(
  section: string,
  word: string,
  known: readonly Word[],
): Word | undefined {
  const lower = word.toLowerCase()
  const plain = own(wordSpellings[section], lower) ?? lower
  return known.find((candidate) => candidate.toLowerCase() === plain.toLowerCase())
}

/** Templates print the line feed as a backslash and an `n`, escaped once too often. */
export function separatorSpelling(text: string): string {
  return text.replace(/\\r/g, '\r').replace(/\\n/g, '\n').replace(/\\t/g, '\t')
}
