// From whatever the parts of the engine throw to an error of the catalogue: the one place where the two meet.
import { failure, PitotError } from '@pitot/api'
import { AvroError } from '@pitot/avro'
import { JetDeath, ModelFailure } from '@pitot/jet'
import { BodyRefused, DescriptorError, StreamFailure } from '@pitot/stream'

/** Anything else is left as it is: it is a defect, and is answered and logged as one. */
export function asRefusal(thrown: unknown): unknown {
  if (thrown instanceof PitotError) return thrown
  if (thrown instanceof DescriptorError) return failure('bad-descriptor', { reason: thrown.message })
  if (thrown instanceof AvroError) return failure('bad-schema', { reason: thrown.message })
  if (thrown instanceof BodyRefused) return bodyRefusal(thrown)
  if (thrown instanceof StreamFailure) return failure('stream-failed', { reason: thrown.message })
  if (thrown instanceof ModelFailure || thrown instanceof JetDeath)
    return failure('model-failed', { reason: thrown.message })
  return thrown
}

function bodyRefusal(refused: BodyRefused): unknown {
  const details = { reason: refused.message }
  switch (refused.reason) {
    case 'ended':
      return failure('input-ended', details)
    case 'too-large':
      return failure('record-too-large', details)
    case 'broken':
      // What broke the body knows best what to say of it.
      return refused.cause instanceof PitotError ? refused.cause : failure('body-incomplete', details)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: handlers of all operations pass through here, each with its own types
type AnyHandler = (request: any) => unknown

/** The same handlers; what they throw is an error of the catalogue wherever it is no defect. */
export function refusing<Table extends Readonly<Record<string, AnyHandler>>>(handlers: Table): Table {
  const guarded = Object.entries(handlers).map(([id, handle]) => {
    const guard: AnyHandler = async (request) => {
      try {
        return await handle(request)
      } catch (error) {
        throw asRefusal(error)
      }
    }
    return [id, guard] as const
  })
  return Object.fromEntries(guarded) as Table
}
