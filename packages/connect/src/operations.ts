// The operations of Connect: they translate between HTTP and the Connect object, and decide nothing.
import { createHash } from 'node:crypto'
import { type connectOperations, failure, type Handlers } from '@pitot/api'
import { bestOffer, type CommonHandlers, decodeText, type Sensors, sensorControlHandlers } from '@pitot/service'
import { stringify } from 'yaml'
import type { Connect } from './connect.ts'
import type { MemberState } from './fleet.ts'
import { type Hub, mostListeners } from './hub.ts'
import { listenByEvents } from './outlets.ts'

type ConnectHandlers = Omit<Handlers<typeof connectOperations>, keyof CommonHandlers>

const usualFields = ['id', 'name', 'api', 'host', 'port', 'release', 'built_on', 'health'] as const
const moreFields = ['since', 'reason', 'scheme'] as const
const allFields: ReadonlySet<string> = new Set([...usualFields, ...moreFields])

export function connectHandlers(connect: Connect, sensors: Sensors, hub: Hub): ConnectHandlers {
  return {
    ...sensorControlHandlers(sensors),

    getConfig({ query, headers }) {
      const configuration = connect.configuration
      if (configuration === undefined) throw failure('config-not-set', {})
      const accept = headers.accept as string | undefined
      const type = bestOffer(accept, ['application/x-yaml', 'application/yaml', 'text/yaml', 'application/json'])
      const section = query.q === undefined ? { [configuration.top]: configuration.sections } : connect.section(query.q)
      if (type === 'application/json') return textReply(JSON.stringify(section), type)
      const text = query.q === undefined ? configuration.text : stringify(section)
      return textReply(text, type ?? 'application/x-yaml')
    },

    async putConfig({ body }) {
      const first = await connect.configure(decodeText(body, 'the configuration'))
      return first ? { status: 201 } : { status: 204 }
    },

    async getConnect({ query }) {
      const { return: fields, ...filter } = query
      const members = await connect.members(filter)
      // Unknown field names are passed over: clients of other releases ask for fields that are not ours.
      const wanted = fields?.filter((field) => allFields.has(field)) ?? usualFields
      return { status: 200, body: members.map((member) => entryOf(member, wanted)) }
    },

    getHistory({ query }) {
      if (connect.configuration === undefined) throw failure('connect-not-configured', {})
      const changes = connect.fleet.changes(query.name, query.count ?? 100)
      return { status: 200, body: changes.map((change) => ({ ...change, time: change.time.toISOString() })) }
    },

    getNotifications({ query, headers, signal }) {
      const accept = headers.accept as string | undefined
      if (accept === undefined || !accept.includes('text/event-stream')) throw upgradeNeeded('/1/notify')
      if (hub.isFull) throw failure('too-many-listeners', { most: mostListeners }, { 'retry-after': '10' })
      return {
        status: 200,
        body: listenByEvents(hub, query, signal),
        type: 'text/event-stream',
        headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
      }
    },

    sendNotifications() {
      throw upgradeNeeded('/1/notify/source')
    },

    getPneumo: ({ query }) => ({ status: 200, body: [...hub.history(query)] }),
  }
}

function upgradeNeeded(path: string) {
  const others = path === '/1/notify' ? ', and gives server-sent events for `Accept: text/event-stream`' : ''
  return failure('upgrade-needed', { path, others }, { upgrade: 'websocket' })
}

function entryOf(member: MemberState, fields: readonly string[]): Record<string, unknown> {
  const entry: Record<string, unknown> = {}
  for (const field of fields) {
    const value = member[field as keyof MemberState]
    entry[field] = value instanceof Date ? value.toISOString() : value
  }
  return entry
}

function textReply(text: string, type: string) {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  return { status: 200, body: Buffer.from(text), type, headers: { etag } } as const
}
