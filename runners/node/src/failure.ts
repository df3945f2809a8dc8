// What a model has thrown, in words: anything goes in, a sentence and a trace of the model's own lines come out.

export interface Described {
  readonly reason: string
  readonly trace?: string
}

export function describeError(error: unknown): Described {
  if (!(error instanceof Error)) return { reason: `the model threw ${shown(error)}` }
  const reason = `${error.name}: ${error.message}`
  const frames = modelFrames(error)
  return frames.length === 0 ? { reason } : { reason, trace: [reason, ...frames].join('\n') }
}

function shown(value: unknown): string {
  try {
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  } catch {
    return 'what cannot be shown'
  }
}

const FOLDER = new RegExp(`(file://)?${escaped(process.cwd())}/`, 'g')

/** Lines of the stack that are in the jet's folder, with paths as the author knows them. */
function modelFrames(error: Error): string[] {
  const lines = typeof error.stack === 'string' ? error.stack.split('\n') : []
  return lines.filter((line) => /^\s+at /.test(line) && line.search(FOLDER) >= 0).map((line) => inFolder(line))
}

/** Paths in the jet's folder become what stands in the model's own package. */
export function inFolder(text: string): string {
  return text.replace(FOLDER, '')
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
