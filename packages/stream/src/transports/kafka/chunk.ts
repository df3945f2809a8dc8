// Records of one partition as a chunk that knows their positions.
import type { Chunk, MessageDetails } from '../../transport.ts'
import type { KafkaPosition } from './progress.ts'

export class KafkaChunk implements Chunk {
  readonly frames: Chunk['frames']
  declare readonly details?: readonly MessageDetails[]
  readonly position: (index?: number) => KafkaPosition

  constructor(
    frames: Chunk['frames'],
    details: readonly MessageDetails[] | undefined,
    position: (index?: number) => KafkaPosition,
  ) {
    this.frames = frames
    if (details !== undefined) this.details = details
    this.position = position
  }
}
