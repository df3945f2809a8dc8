// The operations of Model Manage: models with their attachments and snapshots, and three kinds of JSON documents that are kept alike.
import { Type } from 'typebox'
import type { ErrorCode } from '../errors.ts'
import { AssetVersion, ModelList, Names, Snapshot, SnapshotId } from '../objects.ts'
import { bytes, empty, json, operations } from '../operation.ts'
import { flag, integer, timeRange, words } from '../parameters.ts'
import { commonOperations, done } from './common.ts'
import { sensorControlOperations } from './sensor-control.ts'

const version = integer('An older version instead of the current one.', { minimum: 1 })
const purge = flag('Remove all versions for good, instead of hiding the asset.')
const added = empty('Added.')
const updated = empty('Updated: there is a new version.')
const written = ['bad-name', 'precondition-failed', 'store-unavailable'] as const
const modelFields = words('What to tell of each model; its names alone when not given', [
  'metadata',
  'type',
  'attachments',
])

const modelTypes = [
  'application/vnd.pitot.model-pfa+json',
  'application/vnd.pitot.model-pfa-yaml',
  'application/vnd.pitot.model-pfa-pretty',
  'application/vnd.pitot.model-javascript',
  'application/vnd.pitot.model-typescript',
  'application/vnd.pitot.model-python3',
  'application/vnd.pitot.model-python',
  'application/vnd.pitot.model-r',
]

/** The five operations of one kind of JSON document. */
function documentRows<const Kind extends 'stream' | 'schema' | 'sensor'>(kind: Kind, what: string) {
  const notFound = `${kind}-not-found` as const satisfies ErrorCode
  const path = `/1/${kind}/{${kind}}` as const
  const names = { [kind]: `Name of the ${what}.` }
  return {
    list: {
      method: 'GET',
      path: `/1/${kind}` as const,
      summary: `Names of the stored ${what}s.`,
      replies: { 200: json(Names, 'The names, sorted.') },
      errors: ['store-unavailable'],
    },
    get: {
      method: 'GET',
      path,
      names,
      summary: `The ${what}, byte by byte as it was PUT.`,
      query: { version },
      replies: { 200: bytes(`The ${what}.`, 'application/json'), 304: empty('Not changed.') },
      errors: [notFound, 'bad-name', 'store-unavailable'],
    },
    put: {
      method: 'PUT',
      path,
      names,
      summary: `Adds or updates the ${what}. It must be JSON; what it says is checked when it is used.`,
      body: { summary: `The ${what}.`, types: ['application/json'], as: 'bytes', required: true },
      replies: { 201: added, 204: updated },
      errors: ['bad-json', 'not-utf8', 'body-missing', 'body-too-large', ...written],
    },
    delete: {
      method: 'DELETE',
      path,
      names,
      summary: `Removes the ${what}. Its versions stay readable unless purged.`,
      query: { purge },
      replies: { 204: done },
      errors: [notFound, ...written],
    },
    versions: {
      method: 'GET',
      path: `/1/${kind}/{${kind}}/versions` as const,
      names,
      summary: `The versions of the ${what}, newest first.`,
      replies: { 200: json(Type.Array(AssetVersion), 'The versions.') },
      errors: [notFound, 'bad-name', 'store-unavailable'],
    },
  } as const
}

const stream = documentRows('stream', 'stream descriptor')
const schema = documentRows('schema', 'schema')
const sensor = documentRows('sensor', 'sensor descriptor')
const model = { model: 'Name of the model.' }
const attachment = { ...model, attachment: 'Name of the attachment.' }
const snapshot = { ...model, snapshot: 'Id of the snapshot, or a beginning of it that fits no other.' }
const snapshotErrors = [
  'no-such-model',
  'snapshot-not-found',
  'snapshot-ambiguous',
  'bad-name',
  'store-unavailable',
] as const

export const modelManageOperations = operations({
  ...commonOperations,
  ...sensorControlOperations,
  listModels: {
    method: 'GET',
    path: '/1/model',
    summary: 'The stored models: their names, or objects with the fields asked for.',
    query: { return: modelFields, i: modelFields },
    replies: { 200: json(ModelList, 'Names or objects, sorted by name.') },
    errors: ['store-unavailable'],
  },
  getModel: {
    method: 'GET',
    path: '/1/model/{model}',
    names: model,
    summary: 'The source of the model as it was PUT; a PFA document in another of its forms when Accept names one.',
    query: { version, metadata_only: flag('Give the metadata alone, as JSON.') },
    replies: { 200: bytes('The source.', ...modelTypes), 304: empty('Not changed.') },
    errors: ['model-not-found', 'bad-name', 'not-acceptable', 'cannot-convert', 'store-unavailable'],
  },
  putModel: {
    method: 'PUT',
    path: '/1/model/{model}',
    names: model,
    summary: 'Adds or updates the model. The content type names its language.',
    body: { summary: 'The source of the model.', types: modelTypes, as: 'bytes', required: true },
    replies: { 201: added, 204: updated },
    errors: ['bad-model-type', 'bad-model', 'not-utf8', 'body-missing', 'body-too-large', ...written],
  },
  deleteModel: {
    method: 'DELETE',
    path: '/1/model/{model}',
    names: model,
    summary: 'Removes the model with its attachments and snapshots. Versions stay readable unless purged.',
    query: { purge },
    replies: { 204: done },
    errors: ['model-not-found', ...written],
  },
  listModelVersions: {
    method: 'GET',
    path: '/1/model/{model}/versions',
    names: model,
    summary: 'The versions of the model, newest first.',
    replies: { 200: json(Type.Array(AssetVersion), 'The versions.') },
    errors: ['model-not-found', 'bad-name', 'store-unavailable'],
  },
  listAttachments: {
    method: 'GET',
    path: '/1/model/{model}/attachment',
    names: model,
    summary: 'Names of the attachments of the model.',
    replies: { 200: json(Names, 'The names, sorted.') },
    errors: ['no-such-model', 'bad-name', 'store-unavailable'],
  },
  headAttachment: {
    method: 'HEAD',
    path: '/1/model/{model}/attachment/{attachment}',
    names: attachment,
    summary: 'Size and content type of the attachment, without its content.',
    query: { version },
    replies: { 200: empty('Content-Length and Content-Type tell.'), 304: empty('Not changed.') },
    errors: ['attachment-not-found', 'bad-name', 'store-unavailable'],
  },
  getAttachment: {
    method: 'GET',
    path: '/1/model/{model}/attachment/{attachment}',
    names: attachment,
    summary: 'The content of the attachment.',
    query: { version },
    replies: { 200: bytes('The content, with the type it was PUT with.', '*/*'), 304: empty('Not changed.') },
    errors: ['attachment-not-found', 'bad-name', 'store-unavailable'],
  },
  putAttachment: {
    method: 'PUT',
    path: '/1/model/{model}/attachment/{attachment}',
    names: attachment,
    summary: 'Adds or updates the attachment. It appears whole or not at all.',
    body: {
      summary: 'The content, of any size.',
      types: ['application/zip', 'application/gzip', 'application/octet-stream'],
      as: 'stream',
      required: false,
    },
    replies: { 201: added, 204: updated },
    errors: ['no-such-model', 'body-incomplete', 'bad-content-type', ...written],
  },
  deleteAttachment: {
    method: 'DELETE',
    path: '/1/model/{model}/attachment/{attachment}',
    names: attachment,
    summary: 'Removes the attachment. Its versions stay readable unless purged.',
    query: { purge },
    replies: { 204: done },
    errors: ['attachment-not-found', ...written],
  },
  listAttachmentVersions: {
    method: 'GET',
    path: '/1/model/{model}/attachment/{attachment}/versions',
    names: attachment,
    summary: 'The versions of the attachment, newest first.',
    replies: { 200: json(Type.Array(AssetVersion), 'The versions.') },
    errors: ['attachment-not-found', 'bad-name', 'store-unavailable'],
  },
  listSnapshots: {
    method: 'GET',
    path: '/1/model/{model}/snapshot',
    names: model,
    summary: "The snapshots of the model's state, newest first.",
    query: {
      count: integer('How many at most; all of them when not given.', { minimum: 0 }),
      'date-range': timeRange('Only those made between two moments, such as 2026-01-01--2026-01-31.'),
    },
    replies: { 200: json(Type.Array(Snapshot), 'The snapshots.') },
    errors: ['no-such-model', 'bad-name', 'store-unavailable'],
  },
  postSnapshot: {
    method: 'POST',
    path: '/1/model/{model}/snapshot',
    names: model,
    summary: "Stores a snapshot of the model's state. It appears whole or not at all.",
    body: { summary: 'The contents.', types: ['application/octet-stream'], as: 'stream', required: false },
    replies: { 201: json(SnapshotId, 'Stored under this id.') },
    errors: ['no-such-model', 'body-incomplete', 'bad-name', 'store-unavailable'],
  },
  getSnapshot: {
    method: 'GET',
    path: '/1/model/{model}/snapshot/{snapshot}',
    names: snapshot,
    summary: 'The snapshot in two parts: what is known of it as JSON, then its contents.',
    replies: { 200: bytes('Metadata and contents.', 'multipart/mixed') },
    errors: snapshotErrors,
  },
  deleteSnapshot: {
    method: 'DELETE',
    path: '/1/model/{model}/snapshot/{snapshot}',
    names: snapshot,
    summary: 'Removes the snapshot for good.',
    replies: { 204: done },
    errors: snapshotErrors,
  },
  getSnapshotMetadata: {
    method: 'GET',
    path: '/1/model/{model}/snapshot/{snapshot}/metadata',
    names: snapshot,
    summary: 'What is known of the snapshot.',
    replies: { 200: json(Snapshot, 'Id, time, type and size.') },
    errors: snapshotErrors,
  },
  getSnapshotContents: {
    method: 'GET',
    path: '/1/model/{model}/snapshot/{snapshot}/contents',
    names: snapshot,
    summary: 'The contents of the snapshot.',
    replies: { 200: bytes('The contents.', 'application/octet-stream') },
    errors: snapshotErrors,
  },
  listStreams: stream.list,
  getStream: stream.get,
  putStream: stream.put,
  deleteStream: stream.delete,
  listStreamVersions: stream.versions,
  listSchemas: schema.list,
  getSchema: schema.get,
  putSchema: schema.put,
  deleteSchema: schema.delete,
  listSchemaVersions: schema.versions,
  listSensors: sensor.list,
  getSensor: sensor.get,
  putSensor: sensor.put,
  deleteSensor: sensor.delete,
  listSensorVersions: sensor.versions,
})
