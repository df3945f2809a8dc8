// The fleet and its health: members come in, each is asked again and again, what is known of them goes out.
import { askPeer, type Logger } from '@pitot/service'
import type { FleetMember } from './configuration.ts'

export interface HealthChange {
  readonly time: Date
  readonly name: string
  readonly health: 'ok' | 'fail'
  readonly reason: string | null
}

export interface MemberState extends FleetMember {
  readonly id: string | null
  readonly release: string | null
  readonly built_on: string | null
  readonly health: 'ok' | 'fail'
  readonly reason: string | null
  readonly since: Date
}

export interface FleetOptions {
  /** Milliseconds between two questions to a member. */
  readonly interval: number
  /** Milliseconds until a silent member counts as failed. */
  readonly timeout: number
  readonly defaultScheme: 'http' | 'https'
  readonly log: Logger
  /** Called with every change of health; what is first seen of a member is one too. */
  readonly onChange?: (change: HealthChange) => void
}

const changesKept = 1000

export class Fleet {
  readonly #options: FleetOptions
  readonly #changes: HealthChange[] = []
  #watches: readonly Watch[] = []

  constructor(options: FleetOptions) {
    this.#options = options
  }

  /** Replaces the members. What is known of members that stay is kept. */
  replace(members: readonly FleetMember[]): void {
    // Lists, because two entries may have the same address.
    const old = Map.groupBy(this.#watches, (watch) => addressOf(watch.member))
    this.#watches = members.map((member) => {
      const kept = old.get(addressOf(member))?.shift()
      if (kept === undefined) return new Watch(member, this.#options, (change) => this.#remember(change))
      kept.member = member
      return kept
    })
    for (const gone of [...old.values()].flat()) gone.stop()
  }

  /** All members, once each has been asked at least once: nobody is called down, or up, unseen. */
  async members(): Promise<readonly MemberState[]> {
    await Promise.all(this.#watches.map((watch) => watch.firstAnswer))
    const states = this.#watches.map((watch) => watch.state)
    // Grouped by api in alphabetical order, in the order of the configuration within a group.
    return states.toSorted((a, b) => (a.api < b.api ? -1 : a.api > b.api ? 1 : 0))
  }

  /** The name of the member with this id in its health record, as far as it is known by now. */
  nameOf(id: string): string | undefined {
    return this.#watches.find((watch) => watch.id === id)?.member.name
  }

  /** Newest first. */
  changes(name: string | undefined, count: number): readonly HealthChange[] {
    const wanted = name === undefined ? this.#changes : this.#changes.filter((change) => change.name === name)
    return wanted.slice(-count).reverse()
  }

  stop(): void {
    for (const watch of this.#watches) watch.stop()
  }

  #remember(change: HealthChange): void {
    this.#changes.push(change)
    if (this.#changes.length > changesKept) this.#changes.shift()
    const { name, health, reason } = change
    if (health === 'ok') this.#options.log.info(`${name} is healthy`)
    else this.#options.log.warn(`${name} is not healthy: ${reason}`)
    this.#options.onChange?.(change)
  }
}

function addressOf({ host, port, api, scheme }: FleetMember): string {
  return `${api} ${scheme} ${host} ${port}`
}

interface Answer {
  readonly id: string
  readonly release: string
  readonly built_on: string
}

/** Asks one member for its health until stopped. */
class Watch {
  member: FleetMember
  readonly firstAnswer: Promise<void>
  readonly #options: FleetOptions
  readonly #onChange: (change: HealthChange) => void
  readonly #stopped = new AbortController()
  #last: Answer | undefined
  #health: 'ok' | 'fail' | undefined
  #reason: string | null = null
  #since = new Date()
  #timer: NodeJS.Timeout | undefined

  constructor(member: FleetMember, options: FleetOptions, onChange: (change: HealthChange) => void) {
    this.member = member
    this.#options = options
    this.#onChange = onChange
    this.firstAnswer = this.#ask()
  }

  /** Of its last health record. */
  get id(): string | undefined {
    return this.#last?.id
  }

  get state(): MemberState {
    const { id = null, release = null, built_on = null } = this.#last ?? {}
    const health = this.#health ?? 'fail'
    return { ...this.member, id, release, built_on, health, reason: this.#reason, since: this.#since }
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#stopped.abort()
  }

  async #ask(): Promise<void> {
    const { host, port, scheme = this.#options.defaultScheme } = this.member
    const { timeout, interval } = this.#options
    let reason: string | null = null
    try {
      const url = new URL(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}/1/health`)
      const answer = await askPeer(url, { timeout, signal: this.#stopped.signal })
      if (answer.status === 200) this.#last = readAnswer(answer.body)
      else reason = `status ${answer.status}: ${answer.body.toString().slice(0, 200).replace(/\s+/g, ' ').trim()}`
    } catch (error) {
      reason = (error as Error).message
    }
    if (this.#stopped.signal.aborted) return
    this.#see(reason)
    // Jitter keeps a large fleet from being asked all at the same moment.
    this.#timer = setTimeout(() => void this.#ask(), interval * (0.9 + Math.random() * 0.2))
    this.#timer.unref()
  }

  #see(reason: string | null): void {
    const health = reason === null ? 'ok' : 'fail'
    const changed = health !== this.#health
    this.#health = health
    this.#reason = reason
    if (!changed) return
    this.#since = new Date()
    this.#onChange({ time: this.#since, name: this.member.name, health, reason })
  }
}

function readAnswer(body: Buffer): Answer {
  const { id, release, built_on } = (jsonOf(body) ?? {}) as Partial<Answer>
  if (typeof id !== 'string' || typeof release !== 'string') throw new Error('it answers, but not with a health record')
  return { id, release, built_on: String(built_on ?? '') }
}

/** Undefined for what is no JSON. */
function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
