// One attached sensor: switches its tap on and off, gathers readings, and reports. Reading, filter, aggregate, report.
import {
  type Aggregate,
  createAggregate,
  createFilter,
  type Filter,
  type Reading,
  type SensorDescriptor,
} from '@pitot/sensor'
import type { Clock } from './clock.ts'
import { activationTimes, RegularTimes } from './schedule.ts'
import type { DistantWatch, Tap, Taps } from './taps.ts'

export interface SensorReport {
  readonly data: unknown
  /** Since the last report, or since the sensor was attached. */
  readonly seconds: number
  /** Why the data are alarming, if they are. */
  readonly alarm: string | undefined
}

export interface SensorSurroundings {
  readonly taps: Taps
  readonly clock: Clock
  readonly random: () => number
  readonly report: (report: SensorReport) => void
  /** A tap failed to give its reading. */
  readonly trouble: (error: unknown) => void
}

/** Milliseconds between the readings of a gauge while it is on. */
const pace = 1000
/** Milliseconds in which pushed readings that are to be reported at once are gathered into one report. */
const together = 50
/** Milliseconds between the collections of a distant tap that is to be reported at once. */
const distantPace = 1000

/** How its tap is connected while the sensor is on. */
type Connection =
  | { readonly kind: 'gauge'; readonly read: () => Reading }
  | { readonly kind: 'event'; readonly detach: () => void }
  | { readonly kind: 'distant'; readonly watch: DistantWatch }

export class Sensor {
  readonly descriptor: SensorDescriptor
  readonly #surroundings: SensorSurroundings
  readonly #filter: Filter | undefined
  readonly #aggregate: Aggregate
  readonly #activations: ReturnType<typeof activationTimes>
  readonly #reports: RegularTimes | undefined
  readonly #unfollow: () => void
  #tap: Tap | undefined
  #isOn = false
  #connection: Connection | undefined
  #readsLeft = Number.POSITIVE_INFINITY
  #offAt = Number.POSITIVE_INFINITY
  #reads: RegularTimes | undefined
  #soon = Number.POSITIVE_INFINITY
  #lastReport: number
  #collecting: Promise<void> = Promise.resolve()
  #cancelTimer: () => void = () => undefined

  constructor(descriptor: SensorDescriptor, surroundings: SensorSurroundings) {
    const { clock, random, taps } = surroundings
    const now = clock.now()
    this.descriptor = descriptor
    this.#surroundings = surroundings
    this.#filter = descriptor.filter === null ? undefined : createFilter(descriptor.filter)
    this.#aggregate = createAggregate(descriptor.aggregate, random)
    this.#activations = activationTimes(descriptor.activate, now, random)
    const { interval } = descriptor.report
    this.#reports = interval > 0 ? new RegularTimes(now, interval * 1000) : undefined
    this.#lastReport = now
    this.#unfollow = taps.follow(descriptor.tap, (tap) => this.#changeTap(tap))
    if (this.#activations === undefined) this.#switchOn(now)
    this.#setTimer()
  }

  /** Its tap is switched on right now. */
  get active(): boolean {
    return this.#isOn && this.#tap !== undefined
  }

  stop(): void {
    this.#cancelTimer()
    this.#unfollow()
    this.#isOn = false
    this.#disconnect()
  }

  /** Resolves when the reports under way are made. */
  settled(): Promise<void> {
    return this.#collecting
  }

  /** Everything that is due, in the order of its time; a reading before the report that it belongs to. */
  #wake(): void {
    const now = this.#surroundings.clock.now()
    for (;;) {
      const [time, act] = this.#nextAct()
      if (time > now) break
      act(now)
    }
    this.#setTimer()
  }

  #nextAct(): readonly [time: number, act: (now: number) => void] {
    const never = Number.POSITIVE_INFINITY
    const acts: (readonly [number, (now: number) => void])[] = [
      [this.#offAt, () => this.#switchOff()],
      [this.#activations?.next ?? never, (now) => this.#activate(now)],
      [this.#reads?.next ?? never, (now) => this.#readGauge(now)],
      [this.#soon, () => this.#reportSoon()],
      [this.#reports?.next ?? never, (now) => this.#reportRegularly(now)],
    ]
    return acts.reduce((first, other) => (other[0] < first[0] ? other : first))
  }

  #setTimer(): void {
    this.#cancelTimer()
    const [time] = this.#nextAct()
    if (time < Number.POSITIVE_INFINITY) this.#cancelTimer = this.#surroundings.clock.at(time, () => this.#wake())
  }

  #activate(now: number): void {
    const time = this.#activations!.next
    this.#activations!.pass(now)
    this.#switchOn(time)
    // A gauge that is activated is read at once; a permanent one is read at its pace.
    this.#read()
  }

  #switchOn(time: number): void {
    const { duration, maxReads } = this.descriptor.activate
    this.#isOn = true
    this.#readsLeft = maxReads ?? Number.POSITIVE_INFINITY
    this.#offAt = duration === null ? Number.POSITIVE_INFINITY : time + duration * 1000
    this.#connect(time)
  }

  #switchOff(): void {
    this.#isOn = false
    this.#offAt = Number.POSITIVE_INFINITY
    this.#disconnect()
  }

  #changeTap(tap: Tap | undefined): void {
    this.#disconnect()
    this.#tap = tap
    if (!this.#isOn) return
    this.#connect(this.#surroundings.clock.now())
    this.#setTimer()
  }

  #connect(time: number): void {
    const tap = this.#tap
    if (tap === undefined || this.#connection !== undefined) return
    switch (tap.kind) {
      case 'gauge':
        this.#connection = { kind: 'gauge', read: tap.read }
        this.#reads = new RegularTimes(time, Math.min(pace, this.descriptor.report.interval * 1000 || pace))
        break
      case 'event':
        this.#connection = { kind: 'event', detach: tap.attach((reading) => this.#takePushed(reading)) }
        break
      case 'distant': {
        const { filter, aggregate, activate } = this.descriptor
        const watch = tap.start({ filter, aggregate, maxReads: activate.maxReads })
        this.#connection = { kind: 'distant', watch }
        if (this.#reports === undefined) this.#soon = time + distantPace
      }
    }
  }

  #disconnect(): void {
    const connection = this.#connection
    this.#connection = undefined
    this.#reads = undefined
    if (connection?.kind === 'event') connection.detach()
    if (connection?.kind === 'distant') void this.#collect(connection.watch).then(() => connection.watch.stop())
  }

  #readGauge(now: number): void {
    this.#reads!.pass(now)
    this.#read()
  }

  #read(): void {
    if (this.#connection?.kind !== 'gauge') return
    try {
      this.#take(this.#connection.read())
    } catch (error) {
      this.#surroundings.trouble(error)
    }
    // At once, and for a gauge that is now.
    if (this.#reports === undefined) this.#report()
  }

  #takePushed(reading: Reading): void {
    this.#take(reading)
    if (this.#reports !== undefined || this.#soon < Number.POSITIVE_INFINITY) return
    this.#soon = this.#surroundings.clock.now() + together
    this.#setTimer()
  }

  #take(reading: Reading): void {
    const passed = this.#filter === undefined ? reading : this.#filter(reading)
    if (passed !== undefined) this.#aggregate.add(passed)
    this.#readsLeft--
    if (this.#readsLeft === 0) this.#switchOff()
  }

  #reportSoon(): void {
    const isDistant = this.#connection?.kind === 'distant'
    this.#soon = isDistant ? this.#soon + distantPace : Number.POSITIVE_INFINITY
    this.#reportCollected()
  }

  #reportRegularly(now: number): void {
    this.#reports!.pass(now)
    this.#reportCollected()
  }

  #reportCollected(): void {
    if (this.#connection?.kind === 'distant') void this.#collect(this.#connection.watch).then(() => this.#report())
    else if (this.#tap?.kind === 'distant') void this.#collecting.then(() => this.#report())
    else this.#report()
  }

  /** One after the other, so that what is collected is merged once. */
  #collect(watch: DistantWatch): Promise<void> {
    this.#collecting = this.#collecting.then(async () => {
      try {
        for (const partial of await watch.collect()) this.#aggregate.merge(partial)
      } catch (error) {
        this.#surroundings.trouble(error)
      }
    })
    return this.#collecting
  }

  #report(): void {
    const data = this.#aggregate.takeResult()
    if (data === undefined) return
    const now = this.#surroundings.clock.now()
    const seconds = Math.round(now - this.#lastReport) / 1000
    this.#lastReport = now
    this.#surroundings.report({ data, seconds, alarm: this.#aggregate.alarm?.() })
  }
}
