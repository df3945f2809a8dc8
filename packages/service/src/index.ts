export { bestOffer } from './accept.ts'
export { type Certificate, ownCertificate } from './certificate.ts'
export { writePlainAnswer } from './client-error.ts'
export { type Clock, systemClock } from './clock.ts'
export type { CommonHandlers } from './common-handlers.ts'
export { createLog, type Logger, logFormats, logLevels } from './log.ts'
export { Metrics } from './metrics.ts'
export { Notifier, type NotifierOptions } from './notifier.ts'
export { askPeer, reasonOf } from './peer.ts'
export { RateLimit, type RateLimitOptions } from './rate-limit.ts'
export { release } from './release.ts'
export { sendError } from './reply.ts'
export { queryReader } from './request.ts'
export { sensorControlHandlers } from './sensor-control.ts'
export type { OpenSink, SensorSink } from './sensor-sink.ts'
export { Sensors, type SensorsOptions } from './sensors.ts'
export {
  bindingTrouble,
  type RunningService,
  type ServiceDefinition,
  type ServiceOptions,
  startService,
} from './service.ts'
export {
  type DistantTap,
  type DistantWatch,
  EventTap,
  type GaugeTap,
  type Tap,
  Taps,
} from './taps.ts'
export { decodeText, parseJson } from './text.ts'
export { type TracedWork, type TracePlace, Tracing } from './tracing.ts'
export { readWhole, writeWhole } from './whole-file.ts'
