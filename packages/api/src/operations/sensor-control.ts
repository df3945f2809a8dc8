// The operations that attach sensors to tapping points; the same on every service that has taps.
import { Type } from 'typebox'
import { AttachedSensor, Names, SensorDetails, SensorId } from '../objects.ts'
import { json, operations } from '../operation.ts'
import { done } from './common.ts'

const integers = { id: 'Id of the attached sensor.' }

export const sensorControlOperations = operations({
  listAttachedSensors: {
    method: 'GET',
    path: '/1/control/sensor',
    summary: 'The attached sensors.',
    replies: { 200: json(Type.Array(AttachedSensor), 'The sensors, in the order they were attached.') },
  },
  attachSensor: {
    method: 'POST',
    path: '/1/control/sensor',
    summary: 'Attaches a sensor to a tapping point.',
    body: { summary: 'A sensor descriptor.', types: ['application/json'], as: 'bytes', required: true },
    replies: { 200: json(SensorId, 'The id of the sensor.') },
    errors: ['bad-sensor', 'bad-json', 'not-utf8', 'body-missing', 'body-too-large'],
  },
  listTaps: {
    method: 'GET',
    path: '/1/control/sensor/available',
    summary: 'The names of the tapping points.',
    replies: { 200: json(Names, 'The names, sorted.') },
  },
  getAttachedSensor: {
    method: 'GET',
    path: '/1/control/sensor/{id}',
    integers,
    summary: 'One attached sensor.',
    replies: { 200: json(SensorDetails, 'The sensor.') },
    errors: ['attached-sensor-not-found', 'bad-id'],
  },
  detachSensor: {
    method: 'DELETE',
    path: '/1/control/sensor/{id}',
    integers,
    summary: 'Detaches a sensor.',
    replies: { 204: done },
    errors: ['attached-sensor-not-found', 'bad-id'],
  },
})
