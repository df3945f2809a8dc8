// Writes the same bytes behind every frame, in the room between frames where there is some, else into a copy.
import { NO_BYTES, type Wrapper } from './envelope.ts'
import type { Frames } from './frames.ts'

export function trailingWrapper(trailer: Uint8Array, start: Uint8Array = NO_BYTES): Wrapper {
  const room = trailer.length
  return {
    room,
    start: () => start,
    wrap: (frames) => (hasRoom(frames, room) ? fillRoom(frames, trailer) : copyApart(frames, trailer)),
  }
}

/** Every frame is followed by just so many bytes that belong to nobody. */
function hasRoom({ bytes, bounds }: Frames, room: number): boolean {
  const last = bounds.length - 1
  if (last < 0 || bounds[last]! + room > bytes.length) return false
  for (let index = 1; index < last; index += 2) if (bounds[index]! + room !== bounds[index + 1]) return false
  return true
}

function fillRoom({ bytes, bounds }: Frames, trailer: Uint8Array): Uint8Array {
  const [only] = trailer
  for (let index = 1; index < bounds.length; index += 2) {
    if (trailer.length === 1) bytes[bounds[index]!] = only!
    else bytes.set(trailer, bounds[index])
  }
  return bytes.subarray(bounds[0], bounds.at(-1)! + trailer.length)
}

function copyApart({ bytes, bounds }: Frames, trailer: Uint8Array): Uint8Array {
  let size = 0
  for (let index = 0; index < bounds.length; index += 2) size += bounds[index + 1]! - bounds[index]! + trailer.length
  const copy = new Uint8Array(size)
  let at = 0
  for (let index = 0; index < bounds.length; index += 2) {
    copy.set(bytes.subarray(bounds[index], bounds[index + 1]), at)
    at += bounds[index + 1]! - bounds[index]!
    copy.set(trailer, at)
    at += trailer.length
  }
  return copy
}
