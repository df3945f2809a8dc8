// null: no framing. One message of the transport is one frame.
import {
  type Envelope,
  type EnvelopeContext,
  MAXIMUM_FRAME,
  NOTHING,
  type Unwrapped,
  type Unwrapper,
} from '../envelope.ts'
import { copyOf, wholeFrame } from '../frames.ts'
import { trailingWrapper } from '../trailing.ts'

export const nullEnvelope: Envelope<object> = {
  name: 'null',
  unwrapper: (_, context) => new MessageUnwrapper(context),
  wrapper: () => trailingWrapper(new Uint8Array()),
}

/** For transports that keep messages apart. A stream of bytes without framing needs a `SelfDelimited` unwrapper. */
class MessageUnwrapper implements Unwrapper {
  readonly #maximum: number
  #position = 0

  constructor({ maximumFrame = MAXIMUM_FRAME }: EnvelopeContext = {}) {
    this.#maximum = maximumFrame
  }

  push(chunk: Uint8Array): Unwrapped {
    const position = this.#position
    this.#position += chunk.length
    if (chunk.length <= this.#maximum) return { frames: [wholeFrame(chunk, position)], rejects: [] }
    const reason = `expected a message of at most ${this.#maximum} bytes, found one of ${chunk.length}`
    return {
      frames: [],
      rejects: [{ step: 'envelope', reason, position, bytes: copyOf(chunk, 0, 1024), fatal: false }],
    }
  }

  end(): Unwrapped {
    return NOTHING
  }
}
