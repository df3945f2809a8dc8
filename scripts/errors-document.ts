// Makes docs/errors.md from the catalogue of errors: `node scripts/errors-document.ts` writes it.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { errorCatalogue } from '@pitot/api'

export function errorsDocument(): string {
  const rows = Object.entries(errorCatalogue)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { status, text, help }]) => `| \`${code}\` | ${status} | ${cell(text)} | ${cell(help)} |`)
  return `# Errors

Every service answers errors with one line of \`text/plain\`. With \`Accept: application/json\` the same error comes as
\`application/problem+json\` (RFC 9457) with a \`code\`. Codes are stable; sentences may get better. Words in braces are
filled in.

This page is made from the catalogue (\`packages/api/src/errors.ts\`) by \`npm run docs\`; a test holds the two together.

| code | status | sentence | when it happens, what to do |
|---|---|---|---|
${rows.join('\n')}
`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../docs/errors.md', import.meta.url), errorsDocument())
}
