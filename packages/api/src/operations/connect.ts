// The operations of Connect.
import { Type } from 'typebox'
import { notificationTypes } from '../notifications.ts'
import { FleetEntry, HealthChange, NotificationObject } from '../objects.ts'
import { bytes, empty, json, operations, socket } from '../operation.ts'
import { anyWords, integer, text, word, words } from '../parameters.ts'
import { commonOperations } from './common.ts'
import { sensorControlOperations } from './sensor-control.ts'

const notificationFilter = {
  src: anyWords('Instance names of the senders wanted.'),
  type: words('Types wanted', notificationTypes),
}

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
  getNotifications: {
    method: 'GET',
    path: '/1/notify',
    summary: 'Notifications of the whole fleet as they come: a websocket, or server-sent events.',
    query: notificationFilter,
    replies: {
      101: socket('A websocket; one JSON text frame per notification.'),
      200: bytes('Server-sent events, for `Accept: text/event-stream`.', 'text/event-stream'),
    },
    errors: ['upgrade-needed', 'too-many-listeners'],
  },
  sendNotifications: {
    method: 'GET',
    path: '/1/notify/source',
    summary: 'A websocket on which a service sends its notifications.',
    query: {
      service: text('Kind of service that sends.'),
      id: text('Id in its health record, by which it is found in the fleet.'),
    },
    replies: { 101: socket('A websocket; frames are numbered, and acknowledged.') },
    errors: ['upgrade-needed'],
  },
  getPneumo: {
    method: 'GET',
    path: '/2/pneumo',
    summary: 'The last 60 notifications; or a websocket with those to come.',
    query: notificationFilter,
    replies: {
      101: socket('A websocket; one JSON text frame per notification.'),
      200: json(Type.Array(NotificationObject), 'The last notifications, oldest first.'),
    },
    errors: ['too-many-listeners'],
  },
})
