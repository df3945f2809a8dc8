// Model languages: a content type comes in, the short name of the language goes out.
import { failure } from './errors.ts'
import { didYouMean } from './words.ts'

/** Word after `model-` in the content type -> short name, as lists and status show it. */
const languages: Readonly<Record<string, string>> = {
  'pfa+json': 'pfa-json',
  'pfa-json': 'pfa-json',
  'pfa-yaml': 'pfa-yaml',
  'pfa-pretty': 'pfa-pretty',
  javascript: 'javascript',
  typescript: 'typescript',
  python: 'python',
  python2: 'python',
  python3: 'python3',
  r: 'r',
  c: 'c',
  java: 'java',
  scala: 'scala',
  erlang: 'erlang',
  'h2o-java': 'h2o-java',
  m: 'octave',
  octave: 'octave',
  jupyter: 'jupyter',
  sas: 'sas',
}

/** Content types of older clients, still in use. */
const obsoleteTypes: Readonly<Record<string, string>> = {
  'application/vnd.pfa+json': 'pfa-json',
  'application/json': 'pfa-json',
  'application/vnd.ppfa': 'pfa-pretty',
  'application/x-yaml': 'pfa-yaml',
  'application/x-r': 'r',
  'application/x-python': 'python',
  'application/x-python2': 'python',
  'application/x-python3': 'python3',
}

const vendorType = /^application\/vnd\.[a-z0-9][a-z0-9-]*\.model-(.+)$/

/** The language of a model with this content type; parameters such as `charset` do not matter. */
export function modelLanguage(contentType: string): string {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  const word = vendorType.exec(type)?.[1]
  const language = word === undefined ? entry(obsoleteTypes, type) : entry(languages, word)
  if (language !== undefined) return language
  const known = Object.keys(languages)
  throw failure('bad-model-type', { type: contentType, near: didYouMean(word ?? type, known), known: known.join(', ') })
}

/** The content type of a model in a language that may be named by its word alone, as in `python3`; anything else stays as it is. */
export function modelContentType(given: string): string {
  const word = given.trim().toLowerCase()
  if (word.includes('/')) return given
  // The oldest clients know one form of PFA.
  return `application/vnd.pitot.model-${word === 'pfa' ? 'pfa+json' : word}`
}

/** A type is any text a caller sends, `constructor` for example: only the table's own entries count. */
function entry(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

export type PfaForm = 'json' | 'yaml' | 'pretty'

/** The written form of a PFA document by its language; undefined for other languages. */
export function pfaForm(language: string): PfaForm | undefined {
  const form = language.startsWith('pfa-') ? language.slice('pfa-'.length) : undefined
  return form === 'json' || form === 'yaml' || form === 'pretty' ? form : undefined
}
