// Sends a span for every request and batch to an OpenTelemetry collector, to be loaded before Pitot:
//
//   npm install @opentelemetry/{api,sdk-trace,resources,core,context-async-hooks,exporter-trace-otlp-http}
//   node --import ./examples/tracing/tracing.mjs packages/cli/dist/main.js up
//
// OTEL_EXPORTER_OTLP_ENDPOINT says where the collector is (http://localhost:4318), OTEL_SERVICE_NAME who sends.
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

const name = resourceFromAttributes({ 'service.name': process.env.OTEL_SERVICE_NAME ?? 'pitot' })
const provider = new TracerProvider({
  resource: defaultResource().merge(name),
  spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: 1000 })],
})

// Traces go on from the caller (`traceparent`), through awaits, to other services.
propagation.setGlobalPropagator(new W3CTraceContextPropagator())
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
trace.setGlobalTracerProvider(provider)

// What was not sent yet is sent before the end.
process.once('beforeExit', () => provider.shutdown())
