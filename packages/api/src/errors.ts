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
    text: "there is no model '{name}' that could have {what}; PUT the model first",
    help: 'Attachments and snapshots belong to a model.',
  },
  'snapshot-not-found': {
    status: 404,
    text: "model '{model}' has no snapshot '{id}'",
    help: '`GET /1/model/{model}/snapshot` lists the snapshots. A beginning of the id is enough where it fits one alone.',
  },
  'snapshot-ambiguous': {
    status: 300,
    text: "'{id}' fits {count} snapshots of model '{model}': {fitting}; give more of the id",
    help: 'A snapshot may be named by the beginning of its id, as long as no other id begins so.',
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
  // Engine: streams
  'bad-slot': {
    status: 403,
    text: "'{found}' is no slot for {purpose}; {allowed}",
    help: 'Records are sent to inputs, which have even numbers, and fetched from outputs, which have odd ones.',
  },
  'bad-stream-slot': {
    status: 400,
    text: "'{found}' is no slot for a stream; {allowed}",
    help: 'Slots are numbered from 0: even ones are inputs, odd ones outputs. `in` is 0 and `out` is 1.',
  },
  'bad-descriptor': {
    status: 400,
    text: 'the stream descriptor is not right: {reason}',
    help: 'Each problem is named with its place in the descriptor. `?dry-run=true` checks a descriptor without using it.',
  },
  'bad-schema': {
    status: 400,
    text: 'the schema is not right: {reason}',
    help: 'A schema of a stream or a model, or one it refers to, is missing or is not Avro.',
  },
  'stream-failed': {
    status: 400,
    text: 'the stream cannot be used: {reason}',
    help: 'The descriptor is right, but the stream cannot be opened, or does not hold what is needed.',
  },
  'schema-mismatch': {
    status: 400,
    text: 'the {direction} schemas of stream and model do not fit: {reason}',
    help: 'What the stream carries must be readable as what the model takes, and what it gives as what the stream carries.',
  },
  'no-rest-stream': {
    status: 403,
    text: 'the job has no {direction} stream with transport REST; PUT one to /1/job/stream/{slot}',
    help: 'Records can be sent and fetched over HTTP only when the stream says so.',
  },
  'input-ended': {
    status: 403,
    text: '{reason}',
    help: 'The input has seen its end marker or a control record `end`. Attach the stream anew, or delete the job.',
  },
  'record-too-large': {
    status: 413,
    text: '{reason}',
    help: 'Without an envelope a request is one record, which is held in memory. With `"Mode": "chunked"` it may be of any size.',
  },
  // Engine: the model as it is sent
  'bad-multipart': {
    status: 400,
    text: 'the multipart body cannot be read: {reason}',
    help: 'The body of `PUT /1/job/model` is not what its Content-Type says. The sentence names the part.',
  },
  'bad-model-part': {
    status: 400,
    text: '{part}: {reason}',
    help: 'A part of the multipart body of `PUT /1/job/model` cannot be used. The sentence names the part.',
  },
  'model-too-large': {
    status: 400,
    text: '{what} is larger than the limit of {limit} bytes',
    help: 'Sources and schemas are held in memory, so their size is limited. Put data into attachments.',
  },
  'language-not-run': {
    status: 400,
    text: 'models in {language} are stored but cannot be run; languages that run: {known}',
    help: 'There is no runner for the language of the model.',
  },
  'attachment-not-fetched': {
    status: 400,
    text: "attachment '{name}' of model '{model}' cannot be fetched from Model Manage: {reason}",
    help: 'The model was sent with a reference to an attachment instead of the attachment itself.',
  },
  'bad-attachment': {
    status: 400,
    text: "attachment '{attachment}' is refused: {reason}",
    help: 'An archive may hold plain files and folders with names of their own below the folder of the model, nothing else.',
  },
  'bad-annotation': {
    status: 400,
    text: 'line {line} of the model: {reason}',
    help: 'A comment that tells the engine about the model says something that cannot be.',
  },
  'model-schema-not-found': {
    status: 400,
    text: "schema '{name}' not found; {where} names it: PUT it to Model Manage, or send it along with the model",
    help: 'Schemas are looked for among the parts sent with the model, then in Model Manage, then among the primitive types.',
  },
  'bad-model-schema': {
    status: 400,
    text: '{where}: {reason}',
    help: 'The schema that the model names is not an Avro schema.',
  },
  'registry-unavailable': {
    status: 400,
    text: '{what} is needed from Model Manage, which cannot be asked: {reason}',
    help: 'The Engine finds Model Manage through Connect: start it with `--connect URL`, and see `GET /1/connect` there.',
  },
  // Engine: models and the job
  'model-failed': {
    status: 400,
    text: 'the model cannot be used: {reason}',
    help: 'It does not load: the sentence is what its language says of it. What was there before stays in place.',
  },
  'job-not-running': {
    status: 403,
    text: 'the job is not running: {reason}',
    help: 'Scores need a model, streams, and at least one jet. `GET /1/job/status` tells what is missing.',
  },
  'score-timeout': {
    status: 504,
    text: 'no scores within {timeout} ms; the records may still be scored',
    help: 'The model is slow, or the job has much to do. Allow more with `timeout`, or scale the job.',
  },
  'nothing-scored': {
    status: 400,
    text: 'there is no score; rejected records: {count}, the first by {step}: {reason}',
    help: 'None of the records of a round trip could be scored. `GET /1/job/rejected` has them all.',
  },
  'bad-trial': {
    status: 400,
    text: 'the model cannot be tried like this: {reason}',
    help: 'The body of `POST /1/job/debug` is a JSON object with `input`, `output`, `type`, `model` and `attachments`. The sentence names the field.',
  },
  'trial-busy': {
    status: 503,
    text: 'another model is being tried on this engine; try again in a moment',
    help: 'Comes with `Retry-After`. An engine tries one model at a time, so that the job beside it keeps its speed.',
  },
  'bad-state': {
    status: 403,
    text: 'the state cannot be restored: {reason}',
    help: 'Send the contents of a snapshot as Model Manage gives them.',
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
