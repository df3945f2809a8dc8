// The handlers that every service has: swagger, health, metrics.
import { type commonOperations, type Handlers, type OperationTable, openapi3, swagger2 } from '@pitot/api'
import { stringify } from 'yaml'
import { bestOffer } from './accept.ts'
import type { Metrics } from './metrics.ts'
import { type HealthRecord, release } from './release.ts'

export type CommonHandlers = Handlers<typeof commonOperations>

interface Described {
  readonly title: string
  readonly operations: OperationTable
  readonly checkHealth?: () => Promise<void>
}

const yamlTypes = ['application/x-yaml', 'application/yaml', 'text/yaml'] as const

function yamlText(document: object): string {
  return stringify(document, { aliasDuplicateObjects: false })
}

export function commonHandlers(described: Described, health: HealthRecord, metrics: Metrics): CommonHandlers {
  const info = { title: described.title, version: release }
  const documents = {
    swagger2: swagger2(described.operations, info),
    openapi3: openapi3(described.operations, info),
  }
  return {
    getSwagger({ query, headers }) {
      const document = documents[query.format ?? 'swagger2']
      const type =
        bestOffer(headers.accept as string | undefined, ['application/json', ...yamlTypes]) ?? 'application/json'
      const text = type === 'application/json' ? JSON.stringify(document) : yamlText(document)
      return { status: 200, body: Buffer.from(text), type }
    },
    async getHealth() {
      await described.checkHealth?.()
      return { status: 200, body: health }
    },
    getMetrics() {
      return { status: 200, body: Buffer.from(metrics.text()), type: 'text/plain; version=0.0.4; charset=utf-8' }
    },
  }
}
