// Which runner runs which language. Adding a language is a folder below runners/ and a row here.
import type { Runner } from '@pitot/jet'
import type { JetSettings } from '../options.ts'
import { nodeRunner } from './runners/node.ts'
import { pythonRunner } from './runners/python.ts'
import { rRunner } from './runners/r.ts'

const runners: Readonly<Record<string, (settings: JetSettings) => Runner | Promise<Runner>>> = {
  'pfa-json': nodeRunner,
  'pfa-yaml': nodeRunner,
  'pfa-pretty': nodeRunner,
  javascript: nodeRunner,
  typescript: nodeRunner,
  python: pythonRunner,
  python3: pythonRunner,
  r: rRunner,
}

/** Rejects with a `ModelFailure` when the language's interpreter is not here. */
export async function runnerFor(language: string, settings: JetSettings): Promise<Runner> {
  const find = Object.hasOwn(runners, language) ? runners[language] : undefined
  if (find === undefined)
    throw new Error(`no runner for ${language}: packages of such models are refused when they are read`)
  return find(settings)
}
