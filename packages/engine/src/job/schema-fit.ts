// Whether a stream and a model speak of the same records: their schemas come in, an error of the catalogue goes out if not.
import { failure } from '@pitot/api'
import { type AvroType, compatible, explain, parseSchema } from '@pitot/avro'
import type { ModelSlot } from '@pitot/jet'

/** Avro's resolution: an input is written by the stream and read by the model, an output the other way round. */
export function checkFit(slot: number, streamType: AvroType | null, modelSlot: ModelSlot | undefined): void {
  // No schema on either side fits everything.
  if (streamType === null || modelSlot?.schema === undefined || modelSlot.schema === null) return
  const modelType = parseSchema(modelSlot.schema)
  const isInput = slot % 2 === 0
  const mismatches = isInput ? compatible(streamType, modelType) : compatible(modelType, streamType)
  if (mismatches.length === 0) return
  throw failure('schema-mismatch', {
    direction: isInput ? 'input' : 'output',
    reason: mismatches.map((mismatch) => explain(mismatch)).join('; '),
  })
}
