// A small process beside the engine that outlives it: when the engine is gone, however it ended, the guardian kills what is left
// of its jets. It learns of the engine's end by the end of its own input.
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { ENGINE_MARK, MARK } from './mark.ts'

/**
 * Lines `add <group>` and `remove <group>` come in. At the end all these groups are killed, and then, until none is found
 * any more, every process with the engine's mark: those that left their group and were handed on to init.
 */
const SCRIPT = `
trap '' HUP INT TERM
groups=
while read -r verb group; do
  others=
  for one in $groups; do [ "$one" = "$group" ] || others="$others $one"; done
  groups=$others
  [ "$verb" = add ] && groups="$groups $group"
done
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  for group in $groups; do kill -9 "-$group" 2>/dev/null; done
  marked=$(grep -lsz "^$1" /proc/[0-9]*/environ 2>/dev/null)
  [ -z "$marked" ] && break
  for file in $marked; do
    pid=\${file#/proc/}
    kill -9 "\${pid%/environ}" 2>/dev/null
  done
  sleep 0.05 2>/dev/null || sleep 1
done
`

const groups = new Set<number>()
let guardian: ChildProcess | undefined

/** From now on the groups in `now` are killed when this process ends, and those that were only in `before` are not. */
export function guard(before: ReadonlySet<number>, now: ReadonlySet<number>): void {
  for (const group of before.difference(now)) if (groups.delete(group)) tell(`remove ${group}`)
  for (const group of now.difference(before)) {
    groups.add(group)
    tell(`add ${group}`)
  }
  if (!guardian && groups.size > 0) start()
}

function start(): void {
  // In a session of its own: whoever kills the engine's whole group does not kill the guardian.
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'pitot-guardian', `${MARK}=${ENGINE_MARK}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
    env: { PATH: `${process.env.PATH ?? ''}:/usr/bin:/bin` },
  })
  guardian = child
  const started = Date.now()
  const lost = () => {
    if (guardian !== child) return
    guardian = undefined
    // Somebody killed it. One that cannot live at all is not tried again and again: the next jet does.
    if (groups.size > 0 && Date.now() - started > 1000) start()
  }
  child.on('error', lost)
  child.on('exit', lost)
  child.stdin!.on('error', () => undefined)
  // The guardian waits for the engine, not the engine for the guardian.
  child.unref()
  ;(child.stdin as Socket).unref()
  for (const group of groups) tell(`add ${group}`)
}

function tell(line: string): void {
  if (guardian?.stdin?.writable) guardian.stdin.write(`${line}\n`)
}
