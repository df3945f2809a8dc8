// The attached sensors of a service: descriptors come in, running sensors with ids go out, and come back after a restart.
import { didYouMean, failure, logLevelNumbers, type Notice } from '@pitot/api'
import { readSensorDescriptor, type SensorDescriptor, SensorDescriptorError } from '@pitot/sensor'
import { type Clock, systemClock } from './clock.ts'
import type { Logger } from './log.ts'
import type { Labels, Metrics } from './metrics.ts'
import { addProcessTaps } from './process-taps.ts'
import { ReportMetrics } from './report-metrics.ts'
import { Sensor, type SensorReport } from './sensor.ts'
import { type OpenSink, ReportQueue } from './sensor-sink.ts'
import { Taps } from './taps.ts'
import { readWhole, writeWhole } from './whole-file.ts'

export interface SensorsOptions {
  /** The taps of this service; those of its process are added. */
  readonly taps?: Taps
  /** Where reports and alarms go that are notifications. */
  readonly notify?: (notice: Notice) => void
  /** Attached sensors are kept in this file, if there is one. */
  readonly file?: string
  /** Descriptors of sensors that are attached when the service starts for the first time. */
  readonly defaults?: readonly object[]
  /** Opens sinks that are no notifications; without it there are none. */
  readonly openSink?: OpenSink
  /** Gives stored reference profiles by name, for sensors of a tap; undefined when there is none of that name. */
  readonly findProfile?: (name: string, tap: string) => Promise<unknown>
  readonly log?: Logger
  readonly metrics?: Metrics
  /**
   * Labels of a tap for the metrics, where what its sensors have last reported is to be seen; undefined for a tap of which the
   * service has metrics anyway.
   */
  readonly labelsOf?: (tap: string) => Labels | undefined
  readonly clock?: Clock
  readonly random?: () => number
}

/** What stands in the file. */
interface Kept {
  readonly next: number
  readonly sensors: readonly { readonly id: number; readonly descriptor: unknown }[]
}

interface Attached {
  readonly id: number
  /** As it was given, but for its reference profile, which is part of it. */
  readonly given: unknown
  readonly sensor: Sensor
  readonly queue: ReportQueue | undefined
}

const mostSensors = 1000

export class Sensors {
  readonly taps: Taps
  readonly #options: SensorsOptions
  readonly #attached = new Map<number, Attached>()
  /** Kept sensors that could not be started this time. */
  readonly #dormant: { readonly id: number; readonly descriptor: unknown }[] = []
  readonly #lastReports: ReportMetrics | undefined
  #next = 1
  #isClosed = false
  #reports = 0
  #pastDropped = 0
  #writing: Promise<void> = Promise.resolve()

  /** Attached sensors are forgotten with the process; use `open` to keep them. */
  constructor(options: SensorsOptions = {}) {
    this.#options = options
    this.taps = options.taps ?? new Taps()
    addProcessTaps(this.taps)
    const { metrics, labelsOf } = options
    const dropped = () => this.list().reduce((sum, { queue }) => sum + (queue?.dropped ?? 0), this.#pastDropped)
    metrics?.gauge('pitot_sensors', 'Attached sensors.', () => this.#attached.size)
    metrics?.observedCounter('pitot_sensor_reports_total', 'Reports of sensors.', () => this.#reports)
    metrics?.observedCounter('pitot_sensor_reports_dropped_total', 'Reports that a slow sink did not take.', dropped)
    this.#lastReports = metrics && labelsOf && new ReportMetrics(metrics)
  }

  /** Attaches the sensors of the file; or the default ones, when there is no file yet. */
  static async open(options: SensorsOptions): Promise<Sensors> {
    const sensors = new Sensors(options)
    const text = options.file === undefined ? undefined : await readWhole(options.file)
    if (text === undefined) for (const descriptor of options.defaults ?? []) await sensors.attach(descriptor)
    else await sensors.#restore(text)
    return sensors
  }

  list(): Attached[] {
    return [...this.#attached.values()]
  }

  get(id: number): Sensor {
    const found = this.#attached.get(id)
    if (found === undefined) throw failure('attached-sensor-not-found', { id })
    return found.sensor
  }

  /** The id of the new sensor, once it is kept. Throws `bad-sensor`. */
  async attach(descriptor: unknown): Promise<number> {
    if (this.#isClosed) throw failure('service-stopping', {})
    if (this.#attached.size >= mostSensors)
      throw failure('bad-sensor', { reason: `${mostSensors} sensors are attached already; detach one first` })
    const given = await this.#withReference(descriptor)
    const settings = readChecked(given)
    const { tap } = settings
    if (this.taps.find(tap) === undefined && !this.taps.isExpected(tap)) {
      const reason = `/Tap: there is no tap '${tap}' here${didYouMean(tap, this.taps.names())}`
      throw failure('bad-sensor', { reason })
    }
    const id = this.#next++
    await this.#start(id, given, settings)
    await this.#keep()
    return id
  }

  async detach(id: number): Promise<void> {
    const found = this.#attached.get(id)
    if (found === undefined) throw failure('attached-sensor-not-found', { id })
    this.#attached.delete(id)
    this.#lastReports?.remove(id)
    await end(found)
    this.#pastDropped += found.queue?.dropped ?? 0
    await this.#keep()
  }

  /** Stops all sensors; they come back with the next `open` of the same file. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#attached.values()].map(end))
    this.#attached.clear()
    await this.#writing
  }

  async #start(id: number, given: unknown, settings: SensorDescriptor): Promise<void> {
    const { clock = systemClock, random = Math.random, log } = this.#options
    const queue = settings.sink === 'pneumo' ? undefined : await this.#openQueue(id, settings.sink)
    const labels = this.#options.labelsOf?.(settings.tap)
    let alarmed = false
    const report = ({ data, seconds, alarm }: SensorReport) => {
      this.#reports++
      // A last report may be under way when a sensor is detached.
      if (labels !== undefined && this.#attached.has(id))
        this.#lastReports?.put(id, labels, settings.aggregate.type, data, clock.date().getTime() / 1000)
      const notice: Notice = { type: 'sensor-report', id, tap: settings.tap, data, delta_time: seconds }
      if (queue === undefined) this.#options.notify?.(notice)
      else queue.add({ ...notice, timestamp: clock.date().toISOString() })
      const isAlarming = alarm !== undefined
      if (isAlarming !== alarmed) this.#options.notify?.(alarmNotice(id, settings.tap, alarm))
      alarmed = isAlarming
    }
    const trouble = (error: unknown) => log?.warn({ err: error }, `sensor ${id} cannot read tap ${settings.tap}`)
    const sensor = new Sensor(settings, { taps: this.taps, clock, random, report, trouble })
    this.#attached.set(id, { id, given, sensor, queue })
  }

  async #openQueue(id: number, sink: Readonly<Record<string, unknown>>): Promise<ReportQueue> {
    const { openSink, log } = this.#options
    if (openSink === undefined)
      throw failure('bad-sensor', { reason: '/Sink: this service sends reports as notifications only: "Pneumo"' })
    const opened = await openSink(sink).catch((error: Error) => {
      throw failure('bad-sensor', { reason: `/Sink: ${error.message}` })
    })
    return new ReportQueue(opened, (error) => log?.warn({ err: error }, `sensor ${id} cannot write its reports`))
  }

  /** The descriptor with the profile itself where its name stood: it must not depend on who answers after a restart. */
  async #withReference(descriptor: unknown): Promise<unknown> {
    const { Tap: tap, Aggregate: aggregate } = (descriptor ?? {}) as {
      Tap?: unknown
      Aggregate?: { Reference?: unknown } | null
    }
    const name = aggregate?.Reference
    if (typeof name !== 'string' || this.#options.findProfile === undefined) return descriptor
    const profile = await this.#options.findProfile(name, String(tap)).catch((error: Error) => {
      throw failure('bad-sensor', { reason: `/Aggregate/Reference: ${error.message}` })
    })
    if (profile === undefined) return descriptor
    return { ...(descriptor as object), Aggregate: { ...aggregate, Reference: profile } }
  }

  async #restore(text: string): Promise<void> {
    const { file, log } = this.#options
    let kept: Kept
    try {
      kept = JSON.parse(text) as Kept
      this.#next = kept.next
    } catch (error) {
      throw new Error(`the attached sensors in ${file} cannot be read: ${(error as Error).message}`)
    }
    for (const { id, descriptor } of kept.sensors) {
      try {
        await this.#start(id, descriptor, readChecked(descriptor))
      } catch (error) {
        log?.warn(`sensor ${id} is not started: ${(error as Error).message}`)
        this.#dormant.push({ id, descriptor })
      }
    }
  }

  /** Resolves when the file has what is attached now. */
  #keep(): Promise<void> {
    const { file } = this.#options
    // What is closed is no longer attached, but it is to be there again.
    if (file === undefined || this.#isClosed) return Promise.resolve()
    const write = () => {
      const attached = [...this.#attached.values()].map(({ id, given }) => ({ id, descriptor: given }))
      const kept: Kept = { next: this.#next, sensors: [...attached, ...this.#dormant] }
      return writeWhole(file, `${JSON.stringify(kept, undefined, 2)}\n`)
    }
    const written = this.#writing.then(write)
    this.#writing = written.catch(() => undefined)
    return written
  }
}

async function end({ sensor, queue }: Attached): Promise<void> {
  sensor.stop()
  await sensor.settled()
  await queue?.close()
}

function readChecked(given: unknown): SensorDescriptor {
  try {
    return readSensorDescriptor(given)
  } catch (error) {
    if (error instanceof SensorDescriptorError) throw failure('bad-sensor', { reason: error.message })
    throw error
  }
}

function alarmNotice(id: number, tap: string, alarm: string | undefined): Notice {
  const text =
    alarm === undefined ? `sensor ${id} at ${tap} is back within its thresholds` : `sensor ${id} at ${tap}: ${alarm}`
  return { type: 'log', level: logLevelNumbers[alarm === undefined ? 'notice' : 'warning'], text }
}
