// What a row of the table test of the operations is, and the requests that many rows share.
import type { ErrorCode, modelManageOperations } from '@pitot/api'
import type { Call } from '../../../../test/http.ts'

export type Id = keyof typeof modelManageOperations
export type Step = readonly [request: string, call?: Omit<Call, 'method'>]

export interface Row {
  readonly title: string
  readonly operation: Id
  /** Requests before the one under test; each must succeed. */
  readonly given?: readonly Step[]
  /** `{id}` in its path is the id that the last request before it was answered with, `{shared}` how two of these begin. */
  readonly when: Step
  /** A status, or the error code that must be answered. */
  readonly yields: number | ErrorCode
  readonly body?: string | RegExp | unknown[]
  readonly headers?: Readonly<Record<string, string | RegExp>>
}

export const python = { 'content-type': 'application/vnd.pitot.model-python' }
export const pfaJson = { 'content-type': 'application/vnd.pitot.model-pfa+json' }
export const zip = { 'content-type': 'application/zip' }
export const json = { 'content-type': 'application/json' }
export const source = 'def action(x):\n  yield x\n'
export const pfa = '{"input":"double","output":"double","action":[{"+":["input",1.0]}],"metadata":{"by":"me"}}'
export const putModel = (name: string): Step => [`PUT /1/model/${name}`, { headers: python, body: source }]
export const putAttachment = (path: string, body = 'zip'): Step => [`PUT /1/model/${path}`, { headers: zip, body }]
