// HTTP: an input is what a GET gives, an output is sent by POST.
import type { Transport } from '../transport.ts'
import { readHttp } from './http/input.ts'
import { type HttpOptions, httpFields } from './http/options.ts'
import { writeHttp } from './http/output.ts'

export const http: Transport<HttpOptions> = {
  type: 'HTTP',
  fields: httpFields,
  settle: (options, { direction }) => ({
    ...options,
    Post: direction === 'input' ? null : (options.Post ?? 'batches'),
  }),
  preservesBoundaries: ({ Post, Chunked }) => Post === 'records' || Chunked,
  seekable: 'bytes',
  check: ({ Chunked }, direction) =>
    Chunked && direction === 'output'
      ? ["Chunked is for inputs; set Post to 'records' for one record per request"]
      : [],
  open: readHttp,
  create: writeHttp,
}
