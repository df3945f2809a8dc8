// Makes docs/metrics.md from what the services of a fleet really say.
import type { Family } from './metrics-text.ts'

export function metricsDocument(families: ReadonlyMap<string, readonly Family[]>): string {
  const all = new Map<string, { family: Family; labels: Set<string>; services: string[] }>()
  for (const [service, own] of families) {
    for (const family of own) {
      const entry = all.getOrInsertComputed(family.name, () => ({ family, labels: new Set<string>(), services: [] }))
      entry.services.push(service)
      for (const label of family.labels) entry.labels.add(label)
    }
  }
  const rows = [...all.values()]
    .toSorted((a, b) => (a.family.name < b.family.name ? -1 : 1))
    .map(({ family: { name, type, help }, labels, services }) => {
      const labelNames = [...labels].map((label) => `\`${label}\``).join(', ')
      const from = services.length === families.size ? 'all' : services.join(', ')
      return `| \`${name}\` | ${type} | ${labelNames} | ${from} | ${help} |`
    })
  return `# Metrics

\`GET /metrics\` of every service is Prometheus text. This is a scrape configuration for a fleet with the usual ports:

\`\`\`yaml
scrape_configs:
  - job_name: pitot
    static_configs:
      - targets: ['127.0.0.1:8000', '127.0.0.1:8001', '127.0.0.1:8002', '127.0.0.1:8003']
    # where the fleet was started with --token
    authorization: { credentials: TOKEN }
\`\`\`

[examples/grafana/pitot.json](../examples/grafana/pitot.json) is a Grafana dashboard over all of it: import it and choose the
data source. Spans of requests and batches are [another matter](tracing.md).

Counters of a job begin at zero when a job starts, and when its statistics are reset; \`rate\` and \`increase\` take that into
account. Slots are numbered: even ones are inputs, odd ones outputs. \`operation\` is the id of the operation in \`/1/swagger\`,
\`other\` for requests that are none. Services that \`pitot up\` runs share one process, and so what is told of it.

Gauges with the label \`sensor\` are what sensors of fields [have last reported](sensors.md#in-the-metrics), as long as they are
attached.

This page is made from the answers of a running fleet by \`npm run docs\`; a test holds the two together.

| metric | type | labels | service | meaning |
|---|---|---|---|---|
${rows.join('\n')}
`
}
