// From a descriptor as it was sent to one that can be opened: defaults filled in, schema found.
import { type Remark, readDescriptor, resolveSchema, transports } from '@pitot/stream'
import type { Registry } from '../registry.ts'
import type { ReadSlot } from './input.ts'

/** Throws a `DescriptorError` or an `AvroError`. */
export async function readSlot(
  slot: number,
  given: unknown,
  name: string | undefined,
  registry: Pick<Registry, 'schema'>,
): Promise<{ readonly read: ReadSlot; readonly warnings: readonly string[] }> {
  const { descriptor, warnings } = readDescriptor(given, slot % 2 === 0 ? 'input' : 'output', transports)
  const type = await resolveSchema(descriptor, (schema) => registry.schema(schema))
  return {
    read: { slot, name, given: given as Readonly<Record<string, unknown>>, descriptor, type },
    warnings: warnings.map(sentenceOf),
  }
}

function sentenceOf({ pointer, sentence }: Remark): string {
  return pointer === '' ? sentence : `${pointer}: ${sentence}`
}
