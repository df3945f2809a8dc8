// Text in frames: many frames are decoded at once where that is possible, and many texts are encoded at once.
import { decodeUtf8 } from '@pitot/avro'
import type { Encoded, EncodeReject } from './encoding.ts'
import type { Frames } from './frames.ts'

/**
 * Decoding a chunk at once is several times faster than frame by frame. In ASCII, which most data is, a character is a
 * byte, so the frames are slices of the text.
 */
export class FrameText {
  #frames: Frames | undefined
  /** The text of all frames, where it is ASCII, and where it begins. */
  #whole: string | undefined
  #start = 0

  /** The text of a frame; undefined when it is no UTF-8. */
  of(frames: Frames, index: number): string | undefined {
    const { bytes, bounds } = frames
    if (frames !== this.#frames) {
      this.#frames = frames
      this.#start = bounds[0] ?? 0
      this.#whole = bounds.length > 8 && hasAsciiGap(frames) ? asciiText(bytes, this.#start, bounds.at(-1)!) : undefined
    }
    const [start, end] = [bounds[2 * index]!, bounds[2 * index + 1]!]
    if (this.#whole === undefined) return decodeUtf8(bytes, start, end)
    return this.#whole.slice(start - this.#start, end - this.#start)
  }
}

/** What lies between messages may be their lengths in binary: then there is no use in trying. */
function hasAsciiGap({ bytes, bounds }: Frames): boolean {
  for (let at = bounds[1]!; at < bounds[2]!; at++) if (bytes[at]! >= 0x80) return false
  return true
}

function asciiText(bytes: Uint8Array, start: number, end: number): string | undefined {
  const text = decodeUtf8(bytes, start, end)
  return text?.length === end - start ? text : undefined
}

const encoder = new TextEncoder()

/** One frame for each text that `write` gives; `write` throws for what it cannot write. */
export function encodeTexts(records: readonly unknown[], room: number, write: (record: unknown) => string): Encoded {
  const texts: string[] = []
  const rejects: EncodeReject[] = []
  for (let index = 0; index < records.length; index++) {
    try {
      texts.push(write(records[index]))
    } catch (error) {
      rejects.push({ index, reason: (error as Error).message })
    }
  }
  return { frames: framesOf(texts, room), rejects }
}

function framesOf(texts: string[], room: number): Frames {
  const count = texts.length
  // One more, for the gap behind the last: to add that to the joined text would copy it again.
  if (count > 0) texts.push('')
  const all = texts.join('\n'.repeat(room))
  const bytes = encoder.encode(all)
  const bounds: number[] = []
  let at = 0
  for (let index = 0; index < count; index++) {
    const text = texts[index]!
    // As long as all is ASCII, a text has as many bytes as characters.
    const end = at + (bytes.length === all.length ? text.length : utf8Length(text))
    bounds.push(at, end)
    at = end + room
  }
  return { bytes, bounds, position: 0 }
}

/** Of whole characters; half of a surrogate pair is written as U+FFFD, which takes as many bytes as it is counted here. */
function utf8Length(text: string): number {
  let length = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    if (unit < 0x800) length += 1
    else if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      length += 2
      index++
    } else length += 2
  }
  return length
}
