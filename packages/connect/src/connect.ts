// Connect: holds the configuration of the fleet and knows which of its services are healthy.
import { didYouMean, failure } from '@pitot/api'
import { type Configuration, readConfiguration } from './configuration.ts'
import type { ConfigurationFile } from './configuration-file.ts'
import type { Fleet, MemberState } from './fleet.ts'

export interface FleetFilter {
  readonly name?: string | undefined
  readonly api?: string | undefined
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly release?: string | undefined
  readonly health?: string | undefined
}

export class Connect {
  readonly fleet: Fleet
  readonly #file: ConfigurationFile
  #given: Configuration | undefined
  #standard: Configuration | undefined
  #writing: Promise<unknown> = Promise.resolve()
  readonly #onChange: (configuration: Configuration) => void

  /** `onChange` is called with the configuration that comes into force. */
  constructor(
    file: ConfigurationFile,
    fleet: Fleet,
    kept: Configuration | undefined,
    onChange: (configuration: Configuration) => void = () => undefined,
  ) {
    this.#file = file
    this.fleet = fleet
    this.#onChange = onChange
    this.#given = kept
    if (kept !== undefined) this.#enforce(kept)
  }

  /** What is in force: what was given, else the standard one, if any. */
  get configuration(): Configuration | undefined {
    return this.#given ?? this.#standard
  }

  /** In force as long as none is given: for a fleet that starts together with Connect. */
  setStandard(text: string): void {
    this.#standard = readConfiguration(text)
    if (this.#given === undefined) this.#enforce(this.#standard)
  }

  /** Checks and keeps a configuration; resolves when it is on the disk. True when it is the first one given. */
  configure(text: string): Promise<boolean> {
    const configuration = readConfiguration(text)
    // One after the other: the file and what is in force are the same configuration, the last one given.
    const written = this.#writing.then(async () => {
      await this.#file.write(text)
      const first = this.#given === undefined
      this.#given = configuration
      this.#enforce(configuration)
      return first
    })
    this.#writing = written.catch(() => undefined)
    return written
  }

  #enforce(configuration: Configuration): void {
    this.fleet.replace(configuration.fleet)
    this.#onChange(configuration)
  }

  /** One section, or everything under the top key when that is asked for. */
  section(name: string): unknown {
    const configuration = this.configuration
    if (configuration === undefined) throw failure('config-not-set', {})
    const { top, sections } = configuration
    if (Object.hasOwn(sections, name)) return sections[name]
    if (name === top) return sections
    const known = [...Object.keys(sections), top]
    throw failure('section-not-found', { section: name, near: didYouMean(name, known), known: known.join(', ') })
  }

  async members(filter: FleetFilter): Promise<readonly MemberState[]> {
    if (this.configuration === undefined) throw failure('connect-not-configured', {})
    const wanted = Object.entries(filter).filter(([, value]) => value !== undefined) as [keyof FleetFilter, unknown][]
    const members = await this.fleet.members()
    return members.filter((member) =>
      wanted.every(([field, value]) => (field === 'api' ? sameApi(member.api, value) : member[field] === value)),
    )
  }
}

/** `engine-x` is an old word for `engine`. */
function sameApi(configured: string, wanted: unknown): boolean {
  const plain = (api: unknown) => (api === 'engine-x' ? 'engine' : api)
  return plain(configured) === plain(wanted)
}
