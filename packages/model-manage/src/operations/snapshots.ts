// The operations of snapshots: they translate between HTTP and the store, and decide nothing.
import { randomUUID } from 'node:crypto'
import { failure, type Handlers, type modelManageOperations } from '@pitot/api'
import type { Snapshot, SnapshotStore } from '../store/snapshot-store.ts'

type SnapshotHandlers = Pick<
  Handlers<typeof modelManageOperations>,
  'listSnapshots' | 'postSnapshot' | 'getSnapshot' | 'deleteSnapshot' | 'getSnapshotMetadata' | 'getSnapshotContents'
>

const octets = 'application/octet-stream'

export function snapshotHandlers(store: SnapshotStore): SnapshotHandlers {
  return {
    async listSnapshots({ path, query }) {
      const snapshots = await store.list(path.model, { count: query.count, ...query['date-range'] })
      return { status: 200, body: snapshots.map(entryOf) }
    },

    async postSnapshot({ path, body }) {
      return { status: 201, body: { id: await store.add(path.model, body.chunks) } }
    },

    async getSnapshot({ path }) {
      const snapshot = await store.find(path.model, path.snapshot)
      const boundary = randomUUID()
      const { start, end } = frameOf(snapshot, boundary)
      return {
        status: 200,
        body: between(start, store.open(snapshot), end),
        type: `multipart/mixed; boundary=${boundary}`,
        headers: { 'content-length': String(start.length + snapshot.size + end.length) },
      }
    },

    async deleteSnapshot({ path }) {
      const removed = await store.remove(path.model, await store.find(path.model, path.snapshot))
      if (!removed) throw failure('snapshot-not-found', { model: path.model, id: path.snapshot })
      return { status: 204 }
    },

    async getSnapshotMetadata({ path }) {
      return { status: 200, body: entryOf(await store.find(path.model, path.snapshot)) }
    },

    async getSnapshotContents({ path }) {
      const snapshot = await store.find(path.model, path.snapshot)
      const headers = { 'content-length': String(snapshot.size) }
      return { status: 200, body: store.open(snapshot), type: octets, headers }
    },
  }
}

function entryOf({ id, createdAt, type, size }: Snapshot) {
  return { id, created_on: createdAt.toISOString(), type, size }
}

/** What stands before and after the contents when metadata and contents go out as two parts. */
function frameOf(snapshot: Snapshot, boundary: string): { readonly start: Buffer; readonly end: Buffer } {
  const metadata = JSON.stringify(entryOf(snapshot))
  const lines = [
    `--${boundary}`,
    'Content-Disposition: inline; name="metadata"',
    'Content-Type: application/json',
    '',
    metadata,
    `--${boundary}`,
    'Content-Disposition: attachment; name="contents"',
    `Content-Type: ${octets}`,
    `Content-Length: ${snapshot.size}`,
    '',
    '',
  ]
  return { start: Buffer.from(lines.join('\r\n')), end: Buffer.from(`\r\n--${boundary}--\r\n`) }
}

async function* between(
  start: Uint8Array,
  middle: AsyncIterable<Uint8Array>,
  end: Uint8Array,
): AsyncGenerator<Uint8Array> {
  yield start
  yield* middle
  yield end
}
