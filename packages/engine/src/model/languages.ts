// Languages that can be run: a language comes in, the name of its source in a jet's folder goes out.
import { failure } from '@pitot/api'

const sourceFiles: Readonly<Record<string, string>> = {
  javascript: 'model.mjs',
  typescript: 'model.ts',
  'pfa-json': 'model.pfa.json',
  'pfa-yaml': 'model.pfa.yaml',
  'pfa-pretty': 'model.ppfa',
  python: 'model.py',
  python3: 'model.py',
  r: 'model.R',
}

/** Throws `language-not-run` for languages that have no runner. */
export function sourceFile(language: string): string {
  const file = Object.hasOwn(sourceFiles, language) ? sourceFiles[language] : undefined
  if (file === undefined) throw failure('language-not-run', { language, known: Object.keys(sourceFiles).join(', ') })
  return file
}
