// Sinks of sensors on an engine: a stream descriptor comes in, reports go out over that stream, one JSON object each.
import { wholeFrame } from '@pitot/codec'
import type { OpenSink } from '@pitot/service'
import type { EngineOptions } from '../options.ts'
import type { Registry } from '../registry.ts'
import { OutputSlot } from '../slots/output.ts'
import { readSlot } from '../slots/read.ts'

type Log = (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void

export function sensorSinks(
  { fileRoot, allowExec }: Pick<EngineOptions, 'fileRoot' | 'allowExec'>,
  registry: Registry,
  log: Log,
): OpenSink {
  return async (given) => {
    // The older form of a sink names the topic only; it is a transport of the same name.
    const descriptor = 'Transport' in given ? given : { Transport: given, Encoding: 'json' }
    const { read } = await readSlot(1, descriptor, undefined, registry)
    if (read.descriptor.transport.type === 'REST') throw new Error('reports cannot go to REST: nobody could fetch them')
    const output = await OutputSlot.open(read, { transport: { log, fileRoot, allowExec } })
    return {
      async write(report) {
        await output.write(wholeFrame(Buffer.from(JSON.stringify(report))))
        await output.flush()
      },
      close: () => output.close(),
    }
  }
}
