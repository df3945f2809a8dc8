// Notifications: what services tell whoever listens, one JSON object each. `type` tells which of these it is.

/** What every notification has besides its own fields. */
interface Stamp {
  /** Instance name of the service it comes from, such as `engine-1`. */
  readonly src: string
  /** ISO 8601, UTC. */
  readonly timestamp: string
}

/** The levels of `log` messages: the more urgent, the smaller. */
export const logLevelNumbers = {
  debug: 128,
  info: 64,
  notice: 32,
  warning: 16,
  error: 8,
  critical: 4,
  alert: 2,
  emergency: 1,
} as const

/** A notification as its sender writes it. */
export type Notice =
  /** Health of a member of the fleet has changed; from Connect. */
  | { readonly type: 'health'; readonly instance: string; readonly health: 'ok' | 'fail' }
  /** `skipped` where the message stands for notifications that could not be delivered. */
  | { readonly type: 'log'; readonly level: number; readonly text: string; readonly skipped?: number }
  /** What the model printed, line ends included. */
  | { readonly type: 'model-console'; readonly text: string; readonly skipped?: number }
  /** Some of what was written to a console output; `skipped` counts the rest. */
  | {
      readonly type: 'output-report'
      readonly model: string
      readonly outputs: readonly string[]
      readonly skipped: number
    }
  | { readonly type: 'jet-status-report'; readonly jets: readonly ({ readonly memory: number } & object)[] }
  | {
      readonly type: 'rejected-data-report'
      readonly stream: 'input' | 'output'
      readonly reason: 'schema' | 'encoding' | 'model'
      readonly records: readonly string[]
      readonly skipped: number
    }
  /** The last output is written. */
  | { readonly type: 'output-eof' }
  | {
      readonly type: 'sensor-report'
      readonly id: number
      readonly tap: string
      readonly data: unknown
      /** Seconds since the last report of the sensor. */
      readonly delta_time: number
    }
  /** State of the job, in small letters. */
  | { readonly type: 'engine-state'; readonly state: string }
  | {
      readonly type: 'engine-config'
      readonly item: 'model' | 'stream' | 'jet'
      readonly op: 'load' | 'reload' | 'unload' | 'attach' | 'reattach' | 'detach' | 'start' | 'stop'
      readonly ref: string | number | null
    }
  /** The model raised; `input` is the record it raised on, if it was one. */
  | {
      readonly type: 'model-error'
      readonly input: {
        readonly slot: number
        readonly seqno: number
        readonly data: string
        readonly batch_len: number
        readonly encoding: string
      } | null
      readonly console: string
    }
  | { readonly type: 'metadata-event'; readonly [field: string]: unknown }

export type Notification = Notice & Stamp

export type NotificationType = Notice['type']

const types: Readonly<Record<NotificationType, true>> = {
  health: true,
  log: true,
  'model-console': true,
  'output-report': true,
  'jet-status-report': true,
  'rejected-data-report': true,
  'output-eof': true,
  'sensor-report': true,
  'engine-state': true,
  'engine-config': true,
  'model-error': true,
  'metadata-event': true,
}

/** Clients raise on a type they do not know, so there are no others. */
export const notificationTypes = Object.keys(types) as NotificationType[]

export function isNotificationType(word: unknown): word is NotificationType {
  return typeof word === 'string' && Object.hasOwn(types, word)
}
