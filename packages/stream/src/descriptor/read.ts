import type { Fields } from '../field.ts'
import type { Transport } from '../transport.ts'
import { endMarkerDefault, envelopeDefault, type Known, loopDefault, skipToRecordDefault } from './defaults.ts'
import type { Descriptor, Direction } from './descriptor.ts'
import { encodingFields, encodingNames, envelopeFields, envelopeNames, topFields } from './fields.ts'
import { fromOldForm, isOldForm } from './old-form.ts'
import { DescriptorError, type Remark, Remarks, shown } from './problems.ts'
import { applyRules } from './rules.ts'
import { asSection, isObject, type Json, readSection } from './section.ts'
import { wordSpelling } from './spellings.ts'

export interface ReadDescriptor {
  readonly descriptor: Descriptor
  /** What was accepted but should be written otherwise. */
  readonly warnings: readonly Remark[]
}

/** Throws a `DescriptorError` with everything that is wrong. `transports` are the known ones. */
export function readDescriptor(given: unknown, direction: Direction, transports: readonly Transport[]): ReadDescriptor {
  const remarks = new Remarks()
  if (!isObject(given)) {
    throw new DescriptorError([{ pointer: '', sentence: `a stream descriptor is a JSON object, not ${shown(given)}` }])
  }
  const today = isOldForm(given) ? fromOldForm(given, remarks) : given
  const descriptor = today && new Reader(direction, transports, remarks).read(today)
  if (descriptor === undefined || remarks.problems.length > 0) throw new DescriptorError(remarks.problems)
  return { descriptor, warnings: remarks.warnings }
}

/** A section that has a Type: the type's name and its other fields. */
interface Typed<Name> {
  readonly name: Name
  readonly options: Json
}

class Reader {
  readonly #direction: Direction
  readonly #transports: readonly Transport[]
  readonly #remarks: Remarks

  constructor(direction: Direction, transports: readonly Transport[], remarks: Remarks) {
    this.#direction = direction
    this.#transports = transports
    this.#remarks = remarks
  }

  read(given: Json): Descriptor | undefined {
    const isInput = this.#direction === 'input'
    const { values, written } = readSection(given, topFields, { section: '', pointer: '', isInput }, this.#remarks)
    const transport = written.has('Transport')
      ? this.#transport(values.Transport, written.get('Transport')!)
      : undefined
    const encoding = this.#typed('Encoding', values.Encoding ?? 'null', written, encodingNames, encodingFields)
    const isEnvelopeSet = written.has('Envelope')
    const envelope = isEnvelopeSet
      ? this.#typed('Envelope', values.Envelope ?? 'null', written, envelopeNames, envelopeFields)
      : undefined
    if (transport === undefined || encoding === undefined || (isEnvelopeSet && envelope === undefined)) return undefined

    const { definition } = transport
    const options: Json =
      definition.settle?.(transport.options, {
        direction: this.#direction,
        encoding: encoding.name,
        envelope: envelope?.name,
      }) ?? transport.options
    const isSet = (name: string) => written.has(name) && values[name] !== undefined
    const follows = options.Follow === true
    const usually = loopDefault({ isInput, transportType: definition.type, follows })
    const loop = isInput && (isSet('Loop') ? (values.Loop as boolean) : usually)
    const known: Known = {
      isInput,
      transportType: definition.type,
      preservesBoundaries: definition.preservesBoundaries(options),
      encoding: encoding.name,
      loop,
    }
    const framing =
      envelope ?? this.#typed('Envelope', envelopeDefault(known), new Map(), envelopeNames, envelopeFields)!
    const descriptor = {
      direction: this.#direction,
      version: values.Version,
      description: values.Description,
      transport: definition,
      transportOptions: options,
      loop,
      endMarker: isSet('EndMarker') ? values.EndMarker : endMarkerDefault(known),
      skipTo: values.SkipTo,
      skipToRecord: isSet('SkipToRecord') ? values.SkipToRecord : skipToRecordDefault(known),
      envelope: framing.name,
      envelopeOptions: framing.options,
      encoding: encoding.name,
      encodingOptions: encoding.options,
      schema: values.Schema,
      batching: values.Batching,
      lingerTime: values.LingerTime,
      onError: values.OnError,
      deadLetter: values.DeadLetter,
      delivery: values.Delivery,
      order: values.Order,
    } as Descriptor
    // Rules speak of whole descriptors: with a field missing or wrong they would only add noise.
    if (this.#remarks.problems.length === 0) applyRules(descriptor, written, this.#remarks)
    return descriptor
  }

  #transport(given: unknown, pointer: string): { definition: Transport; options: Json } | undefined {
    const names = this.#transports.map((each) => each.type)
    const section = this.#section('Transport', given, pointer, names)
    const definition = this.#transports.find((each) => each.type === section?.name)
    if (section === undefined || definition === undefined) return undefined
    const place = { section: `Transport.${definition.type}`, pointer, isInput: this.#direction === 'input' }
    const { values } = readSection(section.own, definition.fields, place, this.#remarks)
    return { definition, options: values }
  }

  #typed<Name extends string>(
    what: 'Envelope' | 'Encoding',
    given: unknown,
    written: ReadonlyMap<string, string>,
    names: readonly Name[],
    fields: Readonly<Record<Name, Fields>>,
  ): Typed<Name> | undefined {
    const pointer = written.get(what) ?? ''
    const section = this.#section(what, given, pointer, names)
    if (section === undefined) return undefined
    const place = { section: what, pointer, isInput: this.#direction === 'input' }
    const { values } = readSection(section.own, fields[section.name], place, this.#remarks)
    return { name: section.name, options: values }
  }

  /** Our name of the Type of a section, and its other fields. */
  #section<Name extends string>(
    what: string,
    given: unknown,
    pointer: string,
    names: readonly Name[],
  ): { readonly name: Name; readonly own: Json } | undefined {
    const section = asSection(given, pointer, what, this.#remarks)
    if (section === undefined) return undefined
    const [key, twice] = Object.keys(section).filter((name) => name.toLowerCase() === 'type')
    const allowed = `one of ${names.join(', ')}`
    if (key === undefined) return this.#remarks.problem(pointer, `the field 'Type' is missing; it must be ${allowed}`)
    if (twice !== undefined)
      return this.#remarks.problem(`${pointer}/${twice}`, `'${twice}' says again what '${key}' says already`)
    const { [key]: written, ...own } = section
    const place = typeof given === 'string' ? pointer : `${pointer}/${key}`
    const name = typeof written === 'string' ? wordSpelling(what, written, names) : undefined
    if (name === undefined) return this.#remarks.notAllowed(place, written, allowed, names)
    if (name !== written && written !== 'null') this.#remarks.warning(place, `'${written}' is taken for '${name}'`)
    return { name, own }
  }
}
