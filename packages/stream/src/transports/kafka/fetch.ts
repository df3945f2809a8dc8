// One fetch from one broker: partitions with offsets come in, their records as bytes go out. The answer is read here and not
// by the client library, since the library makes several objects per record and loses track of aborted transactions.
import {
  type Base,
  type Connection,
  type ConnectionPool,
  createAPI,
  fetchV12,
  fetchV13,
  fetchV14,
  fetchV15,
  fetchV16,
  fetchV17,
  kGetApi,
  type Reader,
} from '@platformatic/kafka'
import { StreamFailure } from '../../transport.ts'
import type { AbortedTransaction } from './batches.ts'
import { Cursor } from './varint.ts'

export interface FetchedPartition {
  readonly partition: number
  readonly errorCode: number
  readonly highWatermark: number
  readonly logStart: number
  readonly aborted: readonly AbortedTransaction[]
  readonly records: Buffer
}

export interface FetchResponse {
  readonly errorCode: number
  readonly partitions: readonly FetchedPartition[]
}

export interface FetchRequest {
  readonly topic: { readonly id: string; readonly name: string }
  readonly partitions: readonly { readonly partition: number; readonly offset: number }[]
  /** Milliseconds that the broker may wait for the first record. */
  readonly wait: number
  /** Bytes of the whole answer; a single larger record comes all the same. */
  readonly bytes: number
}

/** Only what is committed, and no session that the broker keeps for us: each fetch says all. */
const readCommitted = 1
const noSession = { id: 0, epoch: -1 }
const noEpoch = -1

type FetchApi = ReturnType<typeof createAPI<unknown[], FetchResponse>>

const versions: Readonly<Record<number, FetchApi>> = Object.fromEntries(
  [fetchV12, fetchV13, fetchV14, fetchV15, fetchV16, fetchV17].map((module) => {
    const { key, version } = module.api
    return [version, createAPI<unknown[], FetchResponse>(key, version, module.createRequest, readResponse)]
  }),
)

export async function fetchRecords(
  client: Base,
  pool: ConnectionPool,
  broker: { readonly host: string; readonly port: number },
  request: FetchRequest,
): Promise<FetchResponse> {
  const [connection, api] = await Promise.all([pool.get(broker), fetchApi(client)])
  const topicId = api.version <= 12 ? request.topic.name : request.topic.id
  const partitions = request.partitions.map(({ partition, offset }) => ({
    partition,
    currentLeaderEpoch: noEpoch,
    fetchOffset: BigInt(offset),
    lastFetchedEpoch: noEpoch,
    partitionMaxBytes: request.bytes,
  }))
  const minimum = 1
  return call(api, connection, [
    request.wait,
    minimum,
    request.bytes,
    readCommitted,
    noSession.id,
    noSession.epoch,
    [{ topicId, partitions }],
    [],
    '',
  ])
}

function call(api: FetchApi, connection: Connection, request: unknown[]): Promise<FetchResponse> {
  return new Promise((resolve, reject) => {
    api(connection, ...request, (error: Error | null, response?: FetchResponse | null) => {
      if (error !== null || !response) reject(error ?? new Error('no answer'))
      else resolve(response)
    })
  })
}

function fetchApi(client: Base): Promise<FetchApi> {
  return new Promise((resolve, reject) => {
    client[kGetApi]<unknown[], unknown>('Fetch', (error, api) => {
      const known = api === undefined ? undefined : versions[api.version]
      if (known !== undefined) resolve(known)
      else reject(error ?? new StreamFailure('The brokers are older than Kafka 2.7: upgrade them.'))
    })
  })
}

/*
  Fetch Response (12 to 17) => throttle_time_ms:int32 error_code:int16 session_id:int32 [responses] tags
    responses => topic_id:uuid (12: topic:compact string) [partitions] tags
    partitions => partition:int32 error_code:int16 high_watermark:int64 last_stable_offset:int64 log_start_offset:int64
      [aborted_transactions] preferred_read_replica:int32 records:compact bytes tags
    aborted_transactions => producer_id:int64 first_offset:int64 tags
*/
function readResponse(_correlation: number, _key: number, version: number, reader: Reader): FetchResponse {
  const cursor = new Cursor(reader.buffer.buffer, reader.position)
  cursor.at += 4
  const errorCode = cursor.int16()
  cursor.at += 4
  const partitions: FetchedPartition[] = []
  for (let topics = cursor.unsignedVarint() - 1; topics > 0; topics--) {
    cursor.at += version <= 12 ? cursor.unsignedVarint() - 1 : 16
    for (let count = cursor.unsignedVarint() - 1; count > 0; count--) partitions.push(readPartition(cursor))
    skipTags(cursor)
  }
  return { errorCode, partitions }
}

function readPartition(cursor: Cursor): FetchedPartition {
  const partition = cursor.int32()
  const errorCode = cursor.int16()
  const highWatermark = cursor.int64()
  cursor.at += 8
  const logStart = cursor.int64()
  const aborted: AbortedTransaction[] = []
  for (let count = cursor.unsignedVarint() - 1; count > 0; count--) {
    aborted.push({ producerId: cursor.bigint64(), firstOffset: cursor.int64() })
    skipTags(cursor)
  }
  cursor.at += 4
  const records = cursor.take(Math.max(0, cursor.unsignedVarint() - 1))
  skipTags(cursor)
  return { partition, errorCode, highWatermark, logStart, aborted, records }
}

function skipTags(cursor: Cursor): void {
  for (let count = cursor.unsignedVarint(); count > 0; count--) {
    cursor.unsignedVarint()
    cursor.at += cursor.unsignedVarint()
  }
}
