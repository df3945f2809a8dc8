// What a row of the table test of the operations is, and the requests that many rows share.
import type { ErrorCode, engineOperations } from '@pitot/api'
import type { Call } from '../../../../test/http.ts'

export type Id = keyof typeof engineOperations
export type Step = readonly [request: string, call?: Omit<Call, 'method'>]

export interface Row {
  readonly title: string
  readonly operation: Id
  /** Requests before the one under test; each must succeed. The engine has no job before the first. */
  readonly given?: readonly Step[]
  readonly when: Step
  /** A status, or the error code that must be answered. */
  readonly yields: number | ErrorCode
  readonly body?: string | RegExp | object
  readonly headers?: Readonly<Record<string, string | RegExp>>
}

export const modelType = (language: string) => ({ 'content-type': `application/vnd.pitot.model-${language}` })
export const pfaSquare = '{"input":"int","output":"int","action":{"*":["input","input"]}}'
export const javascript = (source: string): Step => [
  'PUT /1/job/model',
  { headers: modelType('javascript'), body: source },
]
export const square: Step = ['PUT /1/job/model', { headers: modelType('pfa+json'), body: pfaSquare }]
const lines = { Transport: 'REST', Envelope: 'delimited', Encoding: 'json' }
export const put = (slot: string, descriptor: object | string): Step => [
  `PUT /1/job/stream/${slot}`,
  { body: typeof descriptor === 'string' ? descriptor : JSON.stringify(descriptor) },
]
export const restIn = put('in', lines)
export const restOut = put('out', lines)
export const service = [restOut, restIn, square] as const
export const tooLong = `"${'x'.repeat(2 ** 20)}"`
export const notUtf8 = Uint8Array.of(0x22, 0xff, 0x22)
