// Why a request found no route: its method and URL come in, the error to answer with goes out.
import { failure, nearestWord, type OperationTable, type PitotError } from '@pitot/api'

export function routeFinder(table: OperationTable): (method: string, url: string) => PitotError {
  const routes = Object.values(table).map((row) => ({
    method: row.method,
    path: row.path,
    pattern: new RegExp(`^${row.path.replace(/\{\w+\}/g, '([^/]*)')}$`),
  }))
  const paths = [...new Set(routes.map((route) => route.path))]
  return (method, url) => {
    const path = url.split('?', 1)[0]!
    const matching = routes.filter((route) => route.pattern.test(path))
    if (matching.length === 0) {
      const near = path.length > 100 ? undefined : nearestWord(path, paths)
      return failure('unknown-path', { path, near: near === undefined ? '' : `; did you mean ${near}?` })
    }
    const emptyName = matching.find((route) => route.pattern.exec(path)!.slice(1).includes(''))
    if (emptyName !== undefined && matching.some((route) => route.method === method)) {
      const position = emptyName.pattern.exec(path)!.slice(1).indexOf('')
      const what = [...emptyName.path.matchAll(/\{(\w+)\}/g)][position]![1]!
      return failure('bad-name', { what, reason: 'is empty' })
    }
    const methods = new Set<string>(matching.map((route) => route.method))
    if (methods.has('GET')) methods.add('HEAD')
    const allow = [...methods].sort().join(', ')
    return failure('wrong-method', { method, path, allow }, { allow })
  }
}
