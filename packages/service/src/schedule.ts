// The times at which one sensor has something to do: repeated at exact distances, so that nothing drifts.
import type { Activation } from '@pitot/sensor'

/** How many missed times are made up for. After a longer sleep, of the whole machine perhaps, it goes on from now. */
const mostMissed = 10

/** Times `start + n * interval`, n = 1, 2, 3, …; all in milliseconds. */
export class RegularTimes {
  readonly #start: number
  readonly #interval: number
  #turn = 1

  constructor(start: number, interval: number) {
    this.#start = start
    this.#interval = interval
  }

  get next(): number {
    // In whole microseconds: 30 times 100 ms and once 3 s have to be the same moment.
    return this.#start + Math.round(this.#turn * this.#interval * 1000) / 1000
  }

  pass(now: number): void {
    const missed = Math.floor((now - this.next) / this.#interval)
    this.#turn += missed > mostMissed ? missed + 1 : 1
  }
}

/** Random times with a mean distance: each moment is as likely as any other, whatever happened before. */
export class RandomTimes {
  readonly #interval: number
  readonly #random: () => number
  next: number

  constructor(start: number, interval: number, random: () => number) {
    this.#interval = interval
    this.#random = random
    this.next = start + this.#distance()
  }

  pass(now: number): void {
    const next = this.next + this.#distance()
    this.next = now - next > mostMissed * this.#interval ? now : next
  }

  #distance(): number {
    return -Math.log(1 - this.#random()) * this.#interval
  }
}

export function activationTimes(
  { type, interval }: Activation,
  start: number,
  random: () => number,
): RegularTimes | RandomTimes | undefined {
  if (type === 'permanent') return undefined
  return type === 'regular' ? new RegularTimes(start, interval * 1000) : new RandomTimes(start, interval * 1000, random)
}
