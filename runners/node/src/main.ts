// The node runner: a process that speaks runners/PROTOCOL.md on descriptors 3 and 4 and holds one PFA, JavaScript or
// TypeScript model. It says hello before it loads the rest of itself, so that nobody waits for that.
import { writeSync } from 'node:fs'
import { MESSAGES_TO_HOST, PROTOCOL_BROKEN } from './descriptors.ts'

writeSync(MESSAGES_TO_HOST, hello())
const { converse } = await import('./converse.ts')
try {
  await converse()
  process.exit(0)
} catch (error) {
  console.error(error)
  process.exit(PROTOCOL_BROKEN)
}

/** Written by hand: what writes the other messages is not loaded yet. */
function hello(): Uint8Array {
  const version = process.versions.node
  const body = JSON.stringify({ protocol: 1, runner: 'node', version, pid: process.pid, form: 'wire' })
  const message = Buffer.alloc(5 + body.length)
  message.writeUInt32LE(1 + body.length, 0)
  message.writeUInt8(1, 4)
  message.write(body, 5, 'latin1')
  return message
}
