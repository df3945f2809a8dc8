// What a model prints: it is written at once, and waits for its reader, as nothing may be left when the jet blocks or ends.
import { writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import { retry } from './retry.ts'

/** Node's own streams write later what does not go at once, when the process has time; a jet that waits for messages has none. */
export function printAtOnce(): void {
  for (const [name, descriptor] of [
    ['stdout', 1],
    ['stderr', 2],
  ] as const) {
    Object.defineProperty(process, name, { configurable: true, enumerable: true, value: streamTo(descriptor) })
  }
}

function streamTo(descriptor: number): Writable {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (let at = 0; at < chunk.length; ) at += retry(() => writeSync(descriptor, chunk, at))
      done()
    },
  })
  return Object.assign(stream, { fd: descriptor })
}
