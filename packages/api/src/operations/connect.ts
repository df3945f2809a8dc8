// The operations of Connect.
import { Type } from 'typebox'
import { FleetEntry, HealthChange } from '../objects.ts'
import { bytes, empty, json, operations } from '../operation.ts'
import { anyWords, integer, text, word } from '../parameters.ts'
import { commonOperations } from './common.ts'
import { sensorControlOperations } from './sensor-control.ts'

export const connectOperations = operations({
  ...commonOperations,
  ...sensorControlOperations,
  getConfig: {
    method: 'GET',
    path: '/1/config',
    summary: 'The configuration: as it was PUT, or as JSON for `Accept: application/json`; or one section of it.',
    query: { q: text('Name of a section, or of the top key.') },
    replies: { 200: bytes('The configuration.', 'application/x-yaml', 'application/json') },
    errors: ['config-not-set', 'section-not-found'],
  },
  putConfig: {
    method: 'PUT',
    path: '/1/config',
    summary: 'Stores the configuration of the fleet.',
    body: {
      summary: 'The configuration, YAML or JSON.',
      types: ['application/x-yaml', 'application/yaml', 'application/json', 'text/yaml'],
      as: 'bytes',
      required: true,
    },
    replies: { 201: empty('Stored; there was none before.'), 204: empty('Stored; it replaces the one before.') },
    errors: ['bad-config', 'body-missing', 'body-too-large', 'not-utf8'],
  },
  getConnect: {
    method: 'GET',
    path: '/1/connect',
    summary: 'The services of the fleet and their health. Filters are combined with "and".',
    query: {
      name: text('Instance name.'),
      api: text('Kind of service: model-manage, engine or connect; engine-x means engine.'),
      host: text('Host as configured.'),
      port: integer('Port.', { minimum: 0, maximum: 65535 }),
      release: text('Release that the service reports.'),
      health: word('Health.', ['ok', 'fail']),
      return: anyWords(
        'Fields to give, for example `host,port`; besides the usual ones there are `since`, `reason` and `scheme`.',
      ),
    },
    replies: { 200: json(Type.Array(FleetEntry), 'The matching services.') },
    errors: ['connect-not-configured'],
  },
  getHistory: {
    method: 'GET',
    path: '/1/connect/history',
    summary: 'The latest changes of health in the fleet, newest first.',
    query: { name: text('Instance name.'), count: integer('How many at the most.', { minimum: 1, maximum: 1000 }) },
    replies: { 200: json(Type.Array(HealthChange), 'The changes.') },
    errors: ['connect-not-configured'],
  },
})
