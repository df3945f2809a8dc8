// What a user would write for one score per request: a bare fastify handler with the compiled model in its process.
//   node --conditions=pitot-source bench/engine/bare-server.ts document.json
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { compile } from '@pitot/pfa'
import { fastify } from 'fastify'

const instance = compile(readFileSync(process.argv[2]!, 'utf8')).start()
const app = fastify()
app.post('/score', (request, reply) => {
  reply.send(JSON.stringify(instance.action(request.body as never)))
})
await app.listen({ port: 0, host: '127.0.0.1' })
console.log(`READY http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
