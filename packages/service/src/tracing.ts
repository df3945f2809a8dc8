// Traces: whoever has registered an OpenTelemetry SDK gets a span for every request and every batch, nobody else pays for it.
import type { IncomingHttpHeaders } from 'node:http'
import type { Attributes, Context, Span, SpanOptions, Tracer } from '@opentelemetry/api'
import { release } from './release.ts'

type Api = typeof import('@opentelemetry/api')

/** A place in a trace: what is begun there becomes part of it. */
export type TracePlace = Context

/** Where all releases 1.x of the API keep what is registered: where there is nothing, the API need not be loaded. */
const registry = Symbol.for('opentelemetry.js.api.1')

export class Tracing {
  readonly #api: Api
  readonly #tracer: Tracer

  private constructor(api: Api, tracer: Tracer) {
    this.#api = api
    this.#tracer = tracer
  }

  /** Undefined without an SDK. To be asked at a start, so that nothing needs to be asked per request or batch. */
  static async registered(): Promise<Tracing | undefined> {
    if (!(registry in globalThis)) return undefined
    const api = await import('@opentelemetry/api')
    const provider = api.trace.getTracerProvider()
    const isOurs = provider instanceof api.ProxyTracerProvider
    // The API's own provider stands in while there is no other; one of another release of the API was registered.
    const tracer = isOurs ? provider.getDelegateTracer('pitot', release) : provider.getTracer('pitot', release)
    return tracer && new Tracing(api, tracer)
  }

  /** The place of whatever is being done now. */
  here(): TracePlace {
    return this.#api.context.active()
  }

  /** Work that was asked for from these places: part of the first one's trace, linked to the others. */
  begin(name: string, attributes: Attributes, causes: readonly TracePlace[] = []): TracedWork {
    const { trace, ROOT_CONTEXT } = this.#api
    const [first = ROOT_CONTEXT, ...others] = causes
    const links = others.flatMap((place) => trace.getSpanContext(place) ?? []).map((context) => ({ context }))
    return this.#begin(name, { attributes, links }, first)
  }

  /** A request that came with these headers; they name the work from now on, for whoever passes them on. */
  beginRequest(name: string, attributes: Attributes, headers: IncomingHttpHeaders): TracedWork {
    const { propagation, ROOT_CONTEXT, SpanKind } = this.#api
    const caller = propagation.extract(ROOT_CONTEXT, headers)
    const work = this.#begin(name, { kind: SpanKind.SERVER, attributes }, caller)
    propagation.inject(work.place, headers)
    return work
  }

  #begin(name: string, options: SpanOptions, parent: Context): TracedWork {
    const span = this.#tracer.startSpan(name, options, parent)
    return new TracedWork(this.#api, span, this.#api.trace.setSpan(parent, span))
  }
}

/** Something under way that will be one span. */
export class TracedWork {
  readonly place: TracePlace
  readonly #api: Api
  readonly #span: Span

  constructor(api: Api, span: Span, place: TracePlace) {
    this.#api = api
    this.#span = span
    this.place = place
  }

  /** What `action` does, now and later, is done at this place. */
  run(action: () => void): void {
    this.#api.context.with(this.place, action)
  }

  /** Something happened on the way. */
  reached(event: string): void {
    this.#span.addEvent(event)
  }

  end(attributes: Attributes = {}): void {
    this.#span.setAttributes(attributes)
    this.#span.end()
  }

  fail(reason: string, attributes: Attributes = {}): void {
    this.#span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message: reason })
    this.end(attributes)
  }
}
