// The sign that every process of a jet carries in its environment, so that it is found wherever it has gone.
import { randomUUID } from 'node:crypto'

/** Name of the variable. Its value is `<engine>.<sandbox>`. */
export const MARK = 'PITOT_JET'

/** Of this process: another engine on the same machine has other jets. */
export const ENGINE_MARK = randomUUID()

export function markOf(sandbox: string): string {
  return `${ENGINE_MARK}.${sandbox}`
}
