// exec: an input is what a program prints, an output is given to a program to read.
import { StreamFailure, type Transport } from '../transport.ts'
import { type ExecOptions, execFields } from './exec/options.ts'
import { ExecProcess } from './exec/process.ts'
import { sinkFrom } from './sink.ts'
import { byteChunk, sourceFrom } from './source.ts'

export const exec: Transport<ExecOptions> = {
  type: 'exec',
  fields: execFields,
  preservesBoundaries: () => false,
  seekable: false,
  async open(options, context) {
    const program = await ExecProcess.start(options, 'input', context)
    return sourceFrom(context, {
      async *read(signal) {
        const output = program.child.stdout!
        signal.addEventListener('abort', () => output.destroy(), { once: true })
        let offset = 0
        for await (const bytes of output as AsyncIterable<Buffer>) {
          yield byteChunk(bytes, offset)
          offset += bytes.length
        }
        await program.ended()
      },
      dispose: () => program.stop(),
    })
  },
  async create(options, context) {
    const program = await ExecProcess.start(options, 'output', context)
    const input = program.child.stdin!
    const stop = () => void program.stop()
    context.signal.addEventListener('abort', stop, { once: true })
    // Told to whoever writes.
    input.on('error', () => undefined)
    return sinkFrom(`the input of ${options.Run}`, {
      async write({ bytes, bounds }) {
        if (bounds.length === 0) return
        const isTaken = await new Promise<boolean>((resolve) => {
          input.write(bytes.subarray(bounds[0], bounds[1]), (error) => resolve(!error))
        })
        if (isTaken) return
        await program.ended()
        throw new StreamFailure(`${options.Run} has ended without reading everything`)
      },
      async close() {
        input.end()
        try {
          await program.ended()
        } finally {
          context.signal.removeEventListener('abort', stop)
          await program.stop()
        }
      },
    })
  },
}
