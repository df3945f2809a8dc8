// A listener of notifications for tests: an address comes in, what is received goes out.
import { once } from 'node:events'
import type { Notification } from '@pitot/api'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

export interface TestListener {
  readonly received: Notification[]
  readonly socket: WebSocket
}

/** `path` is appended to the address; the connection ends with the test. */
export async function listen(url: string, path: string): Promise<TestListener> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${path}`, { perMessageDeflate: false })
  onTestFinished(() => socket.terminate())
  const received: Notification[] = []
  socket.on('message', (data) => received.push(JSON.parse(String(data)) as Notification))
  await once(socket, 'open')
  return { received, socket }
}
