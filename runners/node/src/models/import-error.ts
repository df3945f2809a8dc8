// Why a model's module could not be imported: what was thrown goes in, a sentence with the line of the model's own file comes out.
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { type Described, describeError, inFolder } from '../failure.ts'

export function describeImportError(error: unknown, file: string): Described {
  if (!(error instanceof Error)) return describeError(error)
  const place = placeOf(error) ?? (error instanceof SyntaxError ? placeInSource(file) : undefined) ?? file
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ERR_MODULE_NOT_FOUND') return { reason: `${place} imports what cannot be found: ${missing(error)}` }
  const { trace } = describeError(error)
  const reason = `${place}: ${error.name}: ${inFolder(error.message)}`
  return trace === undefined ? { reason } : { reason, trace }
}

/** `model.mjs:3`, from the top of the stack that the parser makes or from its first line in the folder. */
function placeOf(error: Error): string | undefined {
  const line = inFolder(error.stack ?? '').match(/(?:^|[\s(])([^\s():/]+\.(?:m?js|ts)):(\d+)/)
  return line === null ? undefined : `${line[1]}:${line[2]}`
}

/** An import says what is wrong with the syntax but not where; what reads TypeScript says where. */
function placeInSource(file: string): string | undefined {
  try {
    stripTypeScriptTypes(readFileSync(file, 'utf8'), { sourceUrl: file })
    return undefined
  } catch (error) {
    return error instanceof Error ? placeOf(error) : undefined
  }
}

function missing(error: Error): string {
  const [what] = error.message.split(' imported from ')
  return inFolder(what!).replace(/^Cannot find (package|module) /, '')
}
