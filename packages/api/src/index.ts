export { type Client, type ClientOptions, createClient } from './client.ts'
export { type ErrorCode, errorCatalogue, failure, PitotError } from './errors.ts'
export { modelContentType, modelLanguage, type PfaForm, pfaForm } from './model-types.ts'
export {
  isNotificationType,
  logLevelNumbers,
  type Notice,
  type Notification,
  type NotificationType,
  notificationTypes,
} from './notifications.ts'
export type {
  ByteSource,
  Handler,
  Handlers,
  Operation,
  OperationReply,
  OperationRequest,
  OperationTable,
  StreamedBody,
} from './operation.ts'
export { commonOperations } from './operations/common.ts'
export { connectOperations } from './operations/connect.ts'
export { engineOperations } from './operations/engine.ts'
export { modelManageOperations } from './operations/model-manage.ts'
export { sensorControlOperations } from './operations/sensor-control.ts'
export type { Parameter, ParameterSchema } from './parameters.ts'
export { type DocumentInfo, openapi3, swagger2 } from './swagger.ts'
export { didYouMean, nearestWord } from './words.ts'
