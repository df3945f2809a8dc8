// The catalogue of every error that a service answers with: a code and its details come in, one sentence goes out.
// `docs/errors.md` is made from it. Codes are stable: clients may compare them; sentences may get better.

interface CatalogueEntry {
  readonly status: number
  /** The sentence; `{words}` are filled in from the details. */
  readonly text: string
  /** For the documentation: when it happens and what to do. */
  readonly help: string
}

export const errorCatalogue = {
  // What is wrong with the request itself
  'unknown-path': {
    status: 404,
    text: 'there is no {path} here{near}',
    help: 'The path is none of this service. `GET /1/swagger` lists all of them.',
  },
  'wrong-method': {
    status: 405,
    text: '{method} is not possible on {path}; possible: {allow}',
    help: 'The path exists, the method does not. The `Allow` header lists the possible ones.',
  },
  'bad-request': {
    status: 400,
    text: 'the request cannot be read: {reason}',
    help: 'The request is not well-formed HTTP.',
  },
  'bad-parameter': {
    status: 403,
    text: "query parameter '{name}' is '{found}', but must be {allowed}",
    help: 'A query parameter has a value that it cannot have.',
  },
  'missing-parameter': {
    status: 403,
    text: "query parameter '{name}' is missing; it must be {allowed}",
    help: 'A required query parameter is not there.',
  },
  'unknown-parameter': {
    status: 403,
    text: "there is no query parameter '{name}' here{near}; known: {known}",
    help: 'Nothing is silently ignored: remove the parameter or correct its name.',
  },
  'repeated-parameter': {
    status: 403,
    text: "query parameter '{name}' is given more than once",
    help: 'Give it once; lists are comma-separated.',
  },
  'bad-name': {
    status: 400,
    text: 'the {what} name {reason}',
    help: 'A name is 1 to 255 bytes of UTF-8 without control characters, and is not `.` or `..`.',
  },
  'bad-id': {
    status: 404,
    text: "there is no {what} '{found}': ids are whole numbers from 1",
    help: 'Ids are given out by the service when a thing is created.',
  },
  'body-missing': {
    status: 400,
    text: 'the request has no body; it must hold {what}',
    help: 'Send the content with the request.',
  },
  'body-too-large': {
    status: 413,
    text: 'the body is larger than the limit of {limit} bytes; raise it with {option}',
    help: 'Documents are held in memory, so their size is limited. Attachments are not.',
  },
  'body-incomplete': {
    status: 400,
    text: 'the body ended early: {reason}; nothing was stored',
    help: 'The connection broke, or the body was shorter than its Content-Length.',
  },
  'unsupported-encoding': {
    status: 415,
    text: "Content-Encoding '{encoding}' is not supported; send the body as it is",
    help: 'Bodies are stored byte by byte as they come, so they must not be compressed for transport.',
  },
  'url-too-long': {
    status: 414,
    text: 'the URL is longer than {limit} bytes',
    help: 'Shorten the URL.',
  },
  'not-acceptable': {
    status: 406,
    text: "this can be given as {offered}, not as '{accept}'",
    help: 'Ask for one of the offered types in the Accept header, or leave the header out.',
  },
  'bad-json': {
    status: 400,
    text: '{what} is not valid JSON: line {line}, column {column}: {reason}',
    help: 'Correct the JSON text at the place named.',
  },
  'not-utf8': {
    status: 400,
    text: '{what} is not valid UTF-8: the byte at offset {offset} does not fit',
    help: 'Save the text as UTF-8 and send it again.',
  },
  // Who may call
  'token-needed': {
    status: 401,
    text: 'this service needs a token: send it as `Authorization: Bearer TOKEN`',
    help: 'The service was started with `--token` or `PITOT_TOKEN`. Only `/1/health` is open.',
  },
  'token-wrong': {
    status: 401,
    text: 'the token is not the one this service was started with',
    help: 'Use the token of `--token` or `PITOT_TOKEN`.',
  },
  'host-refused': {
    status: 403,
    text: "this service does not answer to the host name '{host}'; start it with --allow-host {host} if it should",
    help: 'Protects services on localhost against web pages that re-point their own name (DNS rebinding).',
  },
  'origin-refused': {
    status: 403,
    text: "a page of '{origin}' may not call this service; start it with --allow-origin {origin} if it should",
    help: 'Protects services on localhost against web pages of other origins.',
  },
  'tls-required': {
    status: 403,
    text: 'this service was started with --tls required: use https:// instead of http://',
    help: 'Call the same port with https.',
  },
  // Conditions
  'precondition-failed': {
    status: 412,
    text: '{what} is not the version the condition {condition} asks for: it is {actual}; read it again, then decide',
    help: 'Somebody else wrote in between. `ETag` of a GET is the value for `If-Match`.',
  },
  // Connect
  'config-not-set': {
    status: 404,
    text: 'no configuration is set; PUT one to /1/config',
    help: 'Connect was started without `--config` and none has been PUT.',
  },
  'connect-not-configured': {
    status: 403,
    text: 'Connect has no configuration yet; PUT one to /1/config',
    help: 'The fleet is known once there is a configuration.',
  },
  'section-not-found': {
    status: 404,
    text: "the configuration has no section '{section}'{near}; there are: {known}",
    help: 'Name a section of the configuration: fleet, db, pneumo, or its top key.',
  },
  'bad-config': {
    status: 400,
    text: 'line {line}: {reason}',
    help: 'The configuration was refused and the old one stays in force. The sentence names the line and what is expected.',
  },
  'upgrade-needed': {
    status: 426,
    text: '{path} is a websocket{others}; connect to it with a websocket client',
    help: 'The path talks websocket. A plain GET cannot be answered with what is asked for.',
  },
  'too-many-listeners': {
    status: 503,
    text: 'there are {most} listeners already; try again later',
    help: 'Comes with `Retry-After`. Connect serves a limited number of listeners, so that none can exhaust it.',
  },
  // Model Manage
  'model-not-found': {
    status: 404,
    text: "there is no model '{name}'{detail}",
    help: '`GET /1/model` lists the models, `GET /1/model/{model}/versions` the versions of one.',
  },
  'attachment-not-found': {
    status: 404,
    text: "model '{model}' has no attachment '{name}'{detail}",
    help: '`GET /1/model/{model}/attachment` lists the attachments.',
  },
  'stream-not-found': {
    status: 404,
    text: "there is no stream '{name}'{detail}",
    help: '`GET /1/stream` lists the stream descriptors.',
  },
  'schema-not-found': {
    status: 404,
    text: "there is no schema '{name}'{detail}",
    help: '`GET /1/schema` lists the schemas.',
  },
  'sensor-not-found': {
    status: 404,
    text: "there is no sensor '{name}'{detail}",
    help: '`GET /1/sensor` lists the sensor descriptors.',
  },
  'no-such-model': {
    status: 403,
    text: "there is no model '{name}' that could have attachments; PUT the model first",
    help: 'Attachments belong to a model.',
  },
  'bad-model-type': {
    status: 400,
    text: "content type '{type}' does not name a model language{near}; use application/vnd.pitot.model-LANGUAGE with one of: {known}",
    help: 'The content type of a model tells its language.',
  },
  'bad-content-type': {
    status: 400,
    text: "'{type}' is not a content type; write it as type/subtype",
    help: 'Correct the Content-Type header.',
  },
  'bad-model': {
    status: 400,
    text: 'the model is not well-formed: {reason}',
    help: 'A PFA document must be readable in the form its content type names.',
  },
  'cannot-convert': {
    status: 406,
    text: 'the model cannot be given as {wanted}: {reason}',
    help: 'The stored document could not be converted. Ask for the form it is stored in.',
  },
  'store-unavailable': {
    status: 503,
    text: 'the database cannot be reached: {reason}; the request was not carried out, try again',
    help: 'Comes with `Retry-After`. The service works again by itself when the database is back.',
  },
  // Sensors
  'bad-sensor': {
    status: 400,
    text: 'the sensor descriptor is not right: {reason}',
    help: '`GET /1/control/sensor/available` lists the tapping points of a service.',
  },
  'attached-sensor-not-found': {
    status: 404,
    text: 'there is no attached sensor {id}',
    help: '`GET /1/control/sensor` lists the attached sensors.',
  },
  // Gateway
  'instance-not-found': {
    status: 404,
    text: "there is no instance '{name}' in the fleet{near}; there are: {known}",
    help: '`GET /api/1/service/connect/1/connect` lists the fleet.',
  },
  'instance-down': {
    status: 502,
    text: "instance '{name}' at {address} does not answer: {reason}",
    help: 'The instance is in the configuration, but is not running or not reachable from the gateway.',
  },
  // Engine
  'no-rest-stream': {
    status: 403,
    text: 'the job has no {direction} stream with transport REST; PUT one to /1/job/stream/{slot}',
    help: 'Records can be sent and fetched over HTTP only when the stream says so.',
  },
  'not-offered': {
    status: 501,
    text: '{what} is not offered by this build',
    help: 'The operation is part of the interface and comes with a later build.',
  },
  // The service itself
  'service-stopping': {
    status: 503,
    text: 'the service is stopping; try again in a moment',
    help: 'Sent while a service finishes its last requests.',
  },
  internal: {
    status: 500,
    text: 'something went wrong inside the service; its log has the details under request id {request}',
    help: 'A defect in Pitot: please report it with the log lines of that request id.',
  },
} as const satisfies Record<string, CatalogueEntry>

type Catalogue = typeof errorCatalogue
export type ErrorCode = keyof Catalogue

/** The `{words}` of a sentence, so that the compiler asks for every one of them. */
type Words<Text extends string> = Text extends `${string}{${infer Word}}${infer Rest}` ? Word | Words<Rest> : never
type Details<Code extends ErrorCode> = { readonly [Word in Words<Catalogue[Code]['text']>]: string | number }

/** An error of the catalogue. It carries a status, as data; it knows nothing of HTTP. */
export class PitotError extends Error {
  override readonly name = 'PitotError'
  readonly code: ErrorCode
  readonly status: number
  /** Headers that belong to the answer, such as Allow or Retry-After. */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, sentence: string, headers: Readonly<Record<string, string>> = {}) {
    super(oneLine(sentence))
    this.code = code
    this.status = errorCatalogue[code].status
    this.headers = headers
  }
}

/** `throw failure('model-not-found', { name, detail: '' })` */
export function failure<Code extends ErrorCode>(
  code: Code,
  details: Details<Code>,
  headers?: Readonly<Record<string, string>>,
): PitotError {
  const values = details as Readonly<Record<string, string | number>>
  const sentence = errorCatalogue[code].text.replace(/\{(\w+)\}/g, (_, word: string) => quotable(String(values[word])))
  return new PitotError(code, sentence, headers)
}

const longestQuote = 1000

/** Details may come from outside: they are cut to a readable length. */
function quotable(detail: string): string {
  return detail.length > longestQuote ? `${detail.slice(0, longestQuote)}…` : detail
}

/** Errors are one line of text: a line break or control character of a detail must not make it two, nor half a character spoil it. */
function oneLine(sentence: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get through
  return sentence.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').toWellFormed()
}
