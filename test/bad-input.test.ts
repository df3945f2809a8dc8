// Bad input to both services: each row has the exact status and the sentence that names the cause.
import { startConnect } from '@pitot/connect'
import { startModelManage } from '@pitot/model-manage'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from './http.ts'
import { testOptions } from './service-options.ts'

type Row = readonly [
  request: string,
  body: string | Uint8Array | undefined,
  status: number,
  sentence: RegExp,
  headers?: Record<string, string>,
]

const yaml = (text: string): Row[1] => text
const long = 'x'.repeat(256)
const bytes = (...values: number[]) => Uint8Array.from(values)

/** Bodies of `PUT /1/config`, with the line and cause that the answer must name. */
const configurations: readonly (readonly [text: string | Uint8Array, sentence: RegExp])[] = [
  ['', /^the request has no body; it must hold the configuration/],
  [' ', /^line 1: .*one top key/],
  ['# only a comment', /^line 1: .*one top key/],
  ['pitot', /^line 1: .*one top key/],
  ['- pitot', /^line 1: .*one top key/],
  ['{}', /^line 1: the configuration is empty/],
  ['pitot:', /^line 1: pitot must have entries/],
  ['pitot: 1', /^line 1: pitot must have entries.*is '1'/],
  ['a: {}\nb: {}', /^line 2: .*second top key b/],
  ['pitot:\n  fleet: 3', /^line 2: fleet must be a list, but is '3'/],
  ['pitot:\n  fleet:\n    - engine', /^line 3: fleet entry 1 must have entries.*is 'engine'/],
  ['pitot:\n  fleet:\n    - api: engine\n      host: h', /^line 3: fleet entry 1 lacks 'port'/],
  [
    'pitot:\n  fleet:\n    - { api: engine, host: h, port: 0 }',
    /^line 3: port is '0', but must be a whole number from 1 to 65535/,
  ],
  ['pitot:\n  fleet:\n    - { api: engine, host: h, port: 65536 }', /^line 3: port is '65536'/],
  ['pitot:\n  fleet:\n    - { api: engine, host: h, port: 80.5 }', /^line 3: port is '80.5'/],
  ['pitot:\n  fleet:\n    - { api: engin, host: h, port: 1 }', /^line 3: api is 'engin'; did you mean 'engine'\?/],
  ['pitot:\n  fleet:\n    - { api: engine, host: "", port: 1 }', /^line 3: host is empty/],
  ['pitot:\n  fleet:\n    - { api: engine, host: [h], port: 1 }', /^line 3: host must be a text, but is a list/],
  [
    'pitot:\n  fleet:\n    - { api: engine, host: h, port: 1, prot: 2 }',
    /^line 3: .*no key 'prot'; did you mean 'port'\?/,
  ],
  ['pitot:\n  fleet:\n    - { api: engine, host: h, port: 1, name: "a/b" }', /^line 3: name 'a\/b' must be letters/],
  [
    'pitot:\n  fleet:\n    - { api: engine, host: h, port: 1, name: x }\n    - { api: engine, host: h, port: 2, name: x }',
    /^line 4: the name 'x' is taken/,
  ],
  ['pitot:\n  flet: []', /^line 2: pitot has no key 'flet'; did you mean 'fleet'\?/],
  ['pitot:\n  db: mysql', /^line 2: db must have entries/],
  ['pitot:\n  db: { host: h }', /^line 2: db lacks 'type'/],
  ['pitot:\n  db: { type: oracle }', /^line 2: type is 'oracle'; allowed: sqlite, postgres/],
  [
    'pitot:\n  db: { type: postgres, user: x }',
    /^line 2: db has no key 'user'; did you mean 'username'|^line 2: db has no key 'user'; known/,
  ],
  ['pitot:\n  pneumo: { type: kafka, bootstrap: h }', /^line 2: bootstrap must be a list/],
  ['pitot:\n  fleet: []\n  fleet: []', /^line 3: /],
  ['pitot:\n\tfleet: []', /^line 2: /],
  ['pitot: {', /^line 1: /],
  ['pitot:\n  fleet: *none', /^line 2: .*none/],
  [bytes(0x70, 0xff, 0x3a), /^the configuration is not valid UTF-8: the byte at offset 1/],
  [`pitot:\n  x: ${'['.repeat(5000)}`, /^line 2: /],
  [
    `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 9 }, (_, i) => `${'bcdefghij'[i]}: &${'bcdefghij'[i]} [${`*${'abcdefghi'[i]},`.repeat(9)}]`).join('\n')}`,
    /^line \d+: /,
  ],
  [
    `pitot:\n  fleet:\n${'    - { api: engine, host: h, port: 1 }\n'.repeat(280_000)}`,
    /^line \d+: the configuration is longer than 1 MiB/,
  ],
]

const connectRows: readonly Row[] = [
  ...configurations.map(([text, sentence]): Row => ['PUT /1/config', text, 400, sentence]),
  ['GET /1/connect', undefined, 403, /^Connect has no configuration yet/],
  ['GET /1/connect/history', undefined, 403, /^Connect has no configuration yet/],
  ['GET /1/config', undefined, 404, /^no configuration is set/],
  ['GET /1/config?q=db', undefined, 404, /^no configuration is set/],
  ['GET /1/config?q=a&q=b', undefined, 403, /'q' is given more than once/],
  ['GET /1/connect?port=http', undefined, 403, /'port' is 'http', but must be a whole number from 0 to 65535/],
  ['GET /1/connect?port=-1', undefined, 403, /'port' is '-1'/],
  ['GET /1/connect?health=good', undefined, 403, /'health' is 'good', but must be one of ok, fail/],
  ['GET /1/connect?nmae=x', undefined, 403, /no query parameter 'nmae' here; did you mean 'name'\?/],
  ['POST /1/config', yaml('pitot: {}'), 405, /^POST is not possible on \/1\/config; possible: GET, HEAD, PUT/],
  ['DELETE /1/connect', undefined, 405, /possible: GET, HEAD/],
  ['GET /2/config', undefined, 404, /^there is no \/2\/config here; did you mean \/1\/config\?/],
  ['GET /', undefined, 404, /^there is no \/ here/],
  ['POST /1/control/sensor', '{"Tap":"no.such"}', 400, /there is no tap 'no\.such' here/],
  ['POST /1/control/sensor', '{}', 400, /Tap is missing/],
  ['POST /1/control/sensor', '{', 400, /not valid JSON: line 1/],
  ['GET /1/control/sensor/x', undefined, 404, /there is no id 'x'/],
  ['DELETE /1/control/sensor/1', undefined, 404, /there is no attached sensor 1/],
]

const python = { 'content-type': 'application/vnd.pitot.model-python' }
const pfaJson = { 'content-type': 'application/vnd.pitot.model-pfa-json' }
const pfaYaml = { 'content-type': 'application/vnd.pitot.model-pfa-yaml' }

const modelManageRows: readonly Row[] = [
  [`PUT /1/model/${long}`, 'x', 400, /^the model name is 256 bytes long; the longest possible is 255/, python],
  [`PUT /1/model/${'%C3%A9'.repeat(128)}`, 'x', 400, /is 256 bytes long/, python],
  ['PUT /1/model/.', 'x', 400, /^the model name must not be '\.'/, python],
  ['PUT /1/model/..', 'x', 400, /^the model name must not be '\.\.'/, python],
  ['PUT /1/model/%2E%2E', 'x', 400, /must not be '\.\.'/, python],
  ['PUT /1/model/', 'x', 400, /^the model name is empty/, python],
  ['GET /1/stream/', undefined, 400, /^the stream name is empty/],
  ['GET /1/model//attachment/a', undefined, 400, /^the model name is empty/],
  ['PUT /1/model/a%0Ab', 'x', 400, /control character \(U\+000A\)/, python],
  ['PUT /1/model/a%7Fb', 'x', 400, /U\+007F/, python],
  ['PUT /1/model/a%E2%80%A8b', 'x', 400, /U\+2028/, python],
  ['GET /1/model/%FF', undefined, 400, /not valid percent-encoded UTF-8/],
  ['GET /1/model/%E0%80%80', undefined, 400, /not valid percent-encoded UTF-8/],
  ['GET /1/model/%', undefined, 400, /percent/],
  ['PUT /1/model/m', 'x', 400, /^content type '' does not name a model language/],
  ['PUT /1/model/m', 'x', 400, /'text\/plain' does not name a model language/, { 'content-type': 'text/plain' }],
  ['PUT /1/model/m', 'x', 400, /did you mean 'python3'\?/, { 'content-type': 'application/vnd.x.model-pyhton3' }],
  ['PUT /1/model/m', 'x', 400, /does not name a model language/, { 'content-type': 'application/vnd..model-r' }],
  ['PUT /1/model/m', undefined, 400, /^the request has no body; it must hold the source of the model/, python],
  ['PUT /1/model/m', bytes(0xc3, 0x28), 400, /^the model is not valid UTF-8: the byte at offset 1/, python],
  ['PUT /1/model/m', '{"a":1,}', 400, /^the model is not well-formed: .*line 1, column 8/i, pfaJson],
  ['PUT /1/model/m', '{"a":1,"a":2}', 400, /^the model is not well-formed: .*"a"/, pfaJson],
  ['PUT /1/model/m', '['.repeat(100_000), 400, /^the model is not well-formed: /, pfaJson],
  ['PUT /1/model/m', 'a: [1', 400, /^the model is not well-formed: .*line 1/i, pfaYaml],
  ['PUT /1/model/m', 'x', 415, /^Content-Encoding 'gzip' is not supported/, { ...python, 'content-encoding': 'gzip' }],
  [
    'PUT /1/model/m',
    'x',
    412,
    /^model 'm' is not the version the condition If-Match: "1" asks for: it is not there/,
    { ...python, 'if-match': '"1"' },
  ],
  ['GET /1/model/m', undefined, 404, /^there is no model 'm'$/],
  ['GET /1/model/m?version=0', undefined, 403, /'version' is '0', but must be a whole number from 1/],
  ['GET /1/model/m?version=new', undefined, 403, /'version' is 'new'/],
  ['GET /1/model/m?versoin=1', undefined, 403, /no query parameter 'versoin' here; did you mean 'version'\?/],
  [
    'GET /1/model?return=name',
    undefined,
    403,
    /'return' is 'name', but must be a comma-separated list of metadata, type, attachments/,
  ],
  ['GET /1/model?i=x', undefined, 403, /'i' is 'x'/],
  ['DELETE /1/model/m?purge=maybe', undefined, 403, /'purge' is 'maybe', but must be 'true' or 'false'/],
  ['DELETE /1/model/m', undefined, 404, /^there is no model 'm'/],
  ['GET /1/model/m/attachment', undefined, 403, /^there is no model 'm' that could have attachments/],
  ['PUT /1/model/m/attachment/a', 'x', 403, /PUT the model first/],
  ['GET /1/model/m/attachment/a', undefined, 404, /^model 'm' has no attachment 'a'/],
  ['PUT /1/model/m/attachment/a', 'x', 400, /^'zip' is not a content type/, { 'content-type': 'zip' }],
  ['PUT /1/model/m/attachment/a', 'x', 400, /is not a content type/, { 'content-type': `a/${'b'.repeat(300)}` }],
  ['PUT /1/stream/s', '{"Transport": REST}', 400, /^the stream descriptor is not valid JSON: line 1, column 15/],
  ['PUT /1/schema/s', "{'type': 'int'}", 400, /^the schema is not valid JSON: line 1, column 2/],
  ['PUT /1/sensor/s', '{"Tap": "x"', 400, /^the sensor descriptor is not valid JSON: line 1, column 12/],
  ['PUT /1/stream/s', '{}{}', 400, /line 1, column 3/],
  ['PUT /1/stream/s', 'NaN', 400, /not valid JSON/],
  [
    'PUT /1/stream/s',
    `"${'x'.repeat(2 ** 20)}"`,
    413,
    /larger than the limit of 1048576 bytes; raise it with --max-document/,
  ],
  ['PUT /1/stream/s', undefined, 400, /^the request has no body; it must hold the stream descriptor/],
  ['DELETE /1/sensor/none', undefined, 404, /^there is no sensor 'none'/],
  ['GET /1/schema/none/versions', undefined, 404, /^there is no schema 'none'/],
  ['PATCH /1/stream/s', '{}', 405, /^PATCH is not possible on \/1\/stream\/s; possible: DELETE, GET, HEAD, PUT/],
  ['PUT /1/stream', '{}', 405, /possible: GET, HEAD/],
  ['GET /1/streams', undefined, 404, /did you mean \/1\/stream\?/],
  [`GET /1/model/${'x'.repeat(9000)}`, undefined, 414, /^the URL is longer than 8192 bytes/],
  ['GET /1/stream', undefined, 403, /does not answer to the host name 'evil\.example'/, { host: 'evil.example' }],
  [
    'PUT /1/stream/s',
    '{}',
    403,
    /a page of 'https:\/\/evil\.example' may not call/,
    { origin: 'https://evil.example' },
  ],
]

describe.each([
  ['Connect', startConnect, connectRows],
  ['Model Manage', startModelManage, modelManageRows],
] as const)('bad input to %s', (_name, start, rows) => {
  let service: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    service = await start(await testOptions({ maxDocument: start === startConnect ? 64 * 2 ** 20 : 2 ** 20 }))
  })
  afterAll(() => service.stop())

  test.each(rows.map((row) => [title(row), row] as const))(
    '%s',
    async (_title, [request, body, status, sentence, headers]) => {
      const [method, path] = request.split(' ') as [string, string]
      const answer = await call(service.url, path, {
        method,
        headers: headers ?? {},
        ...(body !== undefined && { body }),
      })
      expect({ status: answer.status, text: answer.text }).toEqual({ status, text: expect.stringMatching(sentence) })
      expect(answer.text).not.toMatch(/\n|\bat .*\.[jt]s:/)
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    },
  )
})

test('there are enough rows to mean something', () => {
  expect(connectRows.length + modelManageRows.length).toBeGreaterThan(100)
})

function title([request, body, status, , headers]: Row): string {
  const shown = body === undefined ? '' : ` ${JSON.stringify(Buffer.from(body).toString('latin1')).slice(0, 60)}`
  return `${request.slice(0, 60)}${shown} ${headers ? JSON.stringify(headers).slice(0, 60) : ''}-> ${status}`
}
