export { bestOffer } from './accept.ts'
export { type Certificate, ownCertificate } from './certificate.ts'
export { writePlainAnswer } from './client-error.ts'
export type { CommonHandlers } from './common-handlers.ts'
export { createLog, type Logger, logFormats, logLevels } from './log.ts'
export { Metrics } from './metrics.ts'
export { askPeer, reasonOf } from './peer.ts'
export { release } from './release.ts'
export { sendError } from './reply.ts'
export { sensorControlHandlers } from './sensor-control.ts'
export {
  bindingTrouble,
  type RunningService,
  type ServiceDefinition,
  type ServiceOptions,
  startService,
} from './service.ts'
export { decodeText, parseJson } from './text.ts'
