// The operations that every service has.

import { Health } from '../objects.ts'
import { bytes, empty, json, operations } from '../operation.ts'
import { word } from '../parameters.ts'

export const commonOperations = operations({
  getSwagger: {
    method: 'GET',
    path: '/1/swagger',
    summary: 'The API specification: Swagger 2.0, as JSON, or as YAML for `Accept: application/x-yaml`.',
    query: { format: word('Form of the document.', ['swagger2', 'openapi3']) },
    replies: { 200: bytes('The specification.', 'application/json', 'application/x-yaml') },
  },
  getHealth: {
    method: 'GET',
    path: '/1/health',
    summary: 'Health record. Status 200 means healthy.',
    replies: { 200: json(Health, 'The service works.') },
    errors: ['store-unavailable'],
  },
  getMetrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'Counters and gauges as Prometheus text.',
    replies: { 200: bytes('The metrics.', 'text/plain; version=0.0.4') },
  },
})

/** For `204` replies of which there is nothing more to say. */
export const done = empty('Done.')
