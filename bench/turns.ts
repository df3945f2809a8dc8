// Two or more processes take turns on one machine: while one runs the others are stopped, so that a machine that becomes
// slower or faster meanwhile is the same to all of them.

export interface Contestant {
  readonly pid: number
  /**
   * Milliseconds that it still works on when it is stopped: what an engine has handed to its jets is scored, and counted when
   * it goes on. Nobody else runs meanwhile, and the time is its own.
   */
  readonly lag: number
  /** How many records it has done, asked only while it runs. */
  records(): Promise<number>
}

export interface Times {
  /** Milliseconds that each has to itself before anything is counted. */
  readonly warm: number
  readonly turn: number
  readonly turns: number
}

/** For each contestant its records per second, turn by turn. */
export async function inTurns(contestants: readonly Contestant[], times: Times): Promise<number[][]> {
  const counts: number[] = []
  const rates: number[][] = contestants.map(() => [])
  for (const { pid } of contestants) process.kill(pid, 'SIGSTOP')
  for (let turn = -1; turn < times.turns; turn++) {
    for (const [at, contestant] of contestants.entries()) {
      const start = performance.now()
      process.kill(contestant.pid, 'SIGCONT')
      await sleep(turn < 0 ? times.warm : times.turn)
      const count = await contestant.records()
      process.kill(contestant.pid, 'SIGSTOP')
      if (contestant.lag > 0) await sleep(contestant.lag)
      const seconds = (performance.now() - start) / 1000
      if (turn >= 0) rates[at]!.push((count - counts[at]!) / seconds)
      counts[at] = count
    }
  }
  for (const { pid } of contestants) process.kill(pid, 'SIGCONT')
  return rates
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
