// file: reads a file, once or as it grows; writes a file. Below the root folder only, when there is one.
import type { Transport } from '../transport.ts'
import { codecOf } from './file/compression.ts'
import { openForReading } from './file/confined.ts'
import { follow } from './file/follow.ts'
import { type FileOptions, fileFields } from './file/options.ts'
import { createFile } from './file/output.ts'
import { readPacked } from './file/packed.ts'
import { readPlain } from './file/plain.ts'
import { sourceFrom, startOffset } from './source.ts'

export const file: Transport<FileOptions> = {
  type: 'file',
  fields: fileFields,
  preservesBoundaries: () => false,
  seekable: 'bytes',
  check(options, direction) {
    const isPacked = codecOf(options.Path, options.Compression) !== undefined
    const sentences: string[] = []
    if (direction === 'output' && options.Follow)
      sentences.push('Follow is for inputs; an output has nothing to follow')
    if (direction === 'input' && options.Append) sentences.push('Append is for outputs; an input writes nothing')
    if (options.Follow && isPacked) sentences.push('a compressed file cannot be followed; set Compression to none')
    return sentences
  },
  async open(options, context) {
    const { Path: path, Follow } = options
    const offset = startOffset(context)
    const codec = codecOf(path, options.Compression)
    const opened = { file: await openForReading(path, context.fileRoot) }
    return sourceFrom(context, {
      async *read(signal) {
        if (Follow) yield* follow(opened, path, context, signal)
        else if (codec === undefined) yield* readPlain(opened.file, path, offset, signal)
        else yield* readPacked(opened.file, path, codec, offset, signal)
      },
      dispose: () => opened.file.close(),
    })
  },
  create: createFile,
}
