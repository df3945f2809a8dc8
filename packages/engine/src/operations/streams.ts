// Operations on streams: attaching them to the job, and looking at them outside of it.
import type { engineOperations, Handlers } from '@pitot/api'
import { decodeText, parseJson } from '@pitot/service'
import { type Descriptor, type InputOptions, rateStream, type StreamContext, sampleStream } from '@pitot/stream'
import type { JobControl } from '../job/control.ts'
import { readHeaderValue } from '../model/header.ts'
import type { Registry } from '../registry.ts'
import type { ReadSlot } from '../slots/input.ts'
import { readSlot } from '../slots/read.ts'
import { base64, recordText } from '../status/record-text.ts'
import { profileStream, storeProfiles } from '../taps/profiles.ts'
import { firstInput, firstOutput, streamSlot } from './slots.ts'
import { warningHeaders } from './warnings.ts'

type StreamHandlers = Pick<
  Handlers<typeof engineOperations>,
  'putInputStream' | 'putOutputStream' | 'putSlotStream' | 'sampleStream' | 'rateStream' | 'profileStream'
>

/** What streams outside of the job are opened with. */
export interface ProbeContext {
  readonly registry: Registry
  readonly context: Pick<StreamContext, 'log' | 'fileRoot' | 'allowExec'>
}

const usualSample = 10
const usualProfile = 10_000

export function streamHandlers(job: JobControl, probes: ProbeContext): StreamHandlers {
  async function attach(slot: number, { body, headers, query }: AttachRequest) {
    const name = readHeaderValue(String(headers['content-disposition'] ?? '')).parameters.get('name')
    const dryRun = query['dry-run'] ?? false
    const { resolved, warnings } = await job.attachStream(slot, descriptorOf(body), { name, dryRun })
    if (dryRun) return { status: 200, body: resolved, ...warningHeaders(warnings) } as const
    return { status: 204, ...warningHeaders(warnings) } as const
  }
  return {
    putInputStream: (request) => attach(firstInput, request),
    putOutputStream: (request) => attach(firstOutput, request),
    putSlotStream: (request) => attach(streamSlot(request.path.slot), request),

    async sampleStream({ body, query, headers, signal }) {
      const { descriptor, options, warnings } = await probed(body, signal, probes)
      const records = await sampleStream(descriptor, options, query.n ?? usualSample)
      const asBase64 = query.encoding === 'base64' || (query.encoding === undefined && expectsBase64(headers))
      const texts = records.map((record) => (asBase64 ? base64(record) : recordText(record).text))
      return { status: 200, body: texts, ...warningHeaders(warnings) }
    },

    async rateStream({ body, signal }) {
      const { descriptor, options, warnings } = await probed(body, signal, probes)
      return { status: 200, body: await rateStream(descriptor, options), ...warningHeaders(warnings) }
    },

    async profileStream({ body, query, signal }) {
      const { read, options, warnings } = await probed(body, signal, probes)
      const { n = usualProfile, field, store } = query
      const profiles = await profileStream(read, options, n, field)
      if (store !== undefined) await storeProfiles(probes.registry, store, profiles, field)
      return { status: 200, body: profiles, ...warningHeaders(warnings) }
    },
  }
}

interface AttachRequest {
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly query: { readonly 'dry-run': boolean | undefined }
}

/** Some clients send the JSON text of a descriptor as a JSON string. */
function descriptorOf(body: Uint8Array): unknown {
  const what = 'the stream descriptor'
  const given = parseJson(decodeText(body, what), what)
  return typeof given === 'string' && given.trimStart().startsWith('{') ? parseJson(given, what) : given
}

/** Clients generated from the published specification take every record for base64. */
function expectsBase64(headers: AttachRequest['headers']): boolean {
  return String(headers['user-agent'] ?? '').startsWith('Swagger-Codegen')
}

/** A stream to be looked at: it is opened beside the job and leaves nothing behind. */
async function probed(
  body: Uint8Array,
  signal: AbortSignal,
  { registry, context }: ProbeContext,
): Promise<{ read: ReadSlot; descriptor: Descriptor; options: InputOptions; warnings: readonly string[] }> {
  const { read, warnings } = await readSlot(firstInput, descriptorOf(body), undefined, registry)
  return { read, descriptor: read.descriptor, options: { type: read.type, context: { ...context, signal } }, warnings }
}
