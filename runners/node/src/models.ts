// Model languages of this runner, by the name they have in `load`. PFA is only loaded when it is needed.
import type { Ask, Load } from '@pitot/jet/runner'
import { LoadFailure, type Model } from './model.ts'

/** Gives the value of the item, undefined when there is none. Throws an Error with the host's sentence. */
export type AskHost = (ask: Ask) => unknown

type LoadLanguage = (load: Load, ask: AskHost) => Promise<Model>

const pfa: LoadLanguage = async (load, ask) => (await import('./models/pfa.ts')).loadPfa(load, ask)
const javascript: LoadLanguage = async (load, ask) => (await import('./models/javascript.ts')).loadJavaScript(load, ask)

const languages: Readonly<Record<string, LoadLanguage>> = {
  'pfa-json': pfa,
  'pfa-yaml': pfa,
  'pfa-pretty': pfa,
  javascript,
  typescript: javascript,
}

export async function loadModel(load: Load, ask: AskHost): Promise<Model> {
  const language = Object.hasOwn(languages, load.language) ? languages[load.language] : undefined
  if (language === undefined) throw new LoadFailure(`this runner does not know the language ${load.language}`)
  return language(load, ask)
}
