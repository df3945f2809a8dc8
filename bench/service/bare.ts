// The yardstick: a bare fastify handler that does the same read of the same SQLite file, and nothing else.
import { DatabaseSync } from 'node:sqlite'
import { fastify } from 'fastify'

const database = new DatabaseSync(process.argv[2]!, { readOnly: true })
const read = database.prepare(
  `select v.version, v.type, v.size, v.sha256, v.body from asset a
   join asset_version v on v.asset_id = a.id and v.version = a.version
   where a.kind = ? and a.owner = ? and a.name = ? and a.deleted = ?`,
)
const app = fastify()
app.get<{ Params: { stream: string } }>('/1/stream/:stream', (request, reply) => {
  const row = read.get('stream', '', request.params.stream, 0)
  if (row === undefined) return reply.code(404).send()
  const body = row.body as Uint8Array
  return reply
    .header('content-type', 'application/json')
    .send(Buffer.from(body.buffer, body.byteOffset, body.byteLength))
})
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`READY http://127.0.0.1:${(app.server.address() as { port: number }).port}`)
process.once('SIGTERM', () => app.close())
