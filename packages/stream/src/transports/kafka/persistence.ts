// Tries a piece of work again while its failure may pass: the work comes in, its result goes out, or the last failure.
import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamContext } from '../../transport.ts'
import { StreamFailure } from '../../transport.ts'
import { kafkaFailure } from './failures.ts'
import type { KafkaOptions } from './options.ts'

/** A topic made a moment ago is not known to every broker at once. */
const newTopicTime = 1000

/** Milliseconds to wait before attempt `attempt` (from 1): short first, then longer, never long. */
export function backOff(attempt: number): number {
  return Math.min(50 * 2 ** attempt, 2000) * (0.75 + Math.random() / 2)
}

/** Goes on for `RetryTime` at most, and ends at once when `signal` fires or when the failure will not pass by itself. */
export async function persistently<Result>(
  options: KafkaOptions,
  context: StreamContext,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const start = Date.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const failure = kafkaFailure(error, options)
      const passed = Date.now() - start
      const mayPass = failure.passing ? passed < options.RetryTime : isMissingTopic(failure) && passed < newTopicTime
      if (signal.aborted || !mayPass) throw failure
      if (attempt === 1) context.log('warn', `${failure.message} Trying again.`)
      await sleep(backOff(attempt), undefined, { signal }).catch(() => undefined)
      if (signal.aborted) throw new StreamFailure('The stream was closed.', { cause: failure })
    }
  }
}

function isMissingTopic(failure: StreamFailure): boolean {
  return failure.message.includes('has no topic')
}
