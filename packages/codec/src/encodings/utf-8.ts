// utf-8: a frame is one text.
import { type AvroType, compileConvert } from '@pitot/avro'
import { type Encoding, rejectFrame } from '../encoding.ts'
import { encodeTexts, FrameText } from '../text.ts'

export const utf8: Encoding = {
  name: 'utf-8',
  decoder(type, options) {
    const convert = compileConvert(type ?? STRING, options)
    const text = new FrameText()
    return {
      decode(frames, index, records) {
        const record = text.of(frames, index)
        if (record === undefined) return rejectFrame(frames, index, 'encoding', 'expected UTF-8, found other bytes')
        try {
          records.push(convert(record))
        } catch (error) {
          return rejectFrame(frames, index, 'schema', (error as Error).message)
        }
        return undefined
      },
    }
  },
  encoder(type, options) {
    const convert = compileConvert(type ?? STRING, options)
    const write = (record: unknown): string => {
      const text = convert(record)
      if (typeof text !== 'string')
        throw new TypeError(`expected a string for the encoding utf-8, found a ${typeof text}`)
      return text
    }
    return { encode: (records, room = 0) => encodeTexts(records, room, write) }
  },
}

const STRING: AvroType = { kind: 'string' }
