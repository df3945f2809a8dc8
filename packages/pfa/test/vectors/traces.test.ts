// Whole documents with recorded calls: every output, emission, log line, error and final state must be as recorded.
import { describe, expect, test } from 'vitest'
import { PfaError } from '../../src/errors.ts'
import { compile, type Instance, type Program } from '../../src/index.ts'
import { get, isPresent, items, type Json, json, list, number, plain } from './shared.ts'
import { traceErrors } from './trace-errors.ts'
import { type Form, same, show, toInput } from './values.ts'

const kinds: Readonly<Record<string, string>> = {
  PFASyntaxException: 'syntax',
  PFASemanticException: 'semantic',
  PFAInitializationException: 'initialization',
  PFARuntimeException: 'runtime',
  PFAUserException: 'user',
  PFATimeoutException: 'timeout',
}

class Player {
  readonly problems: string[] = []
  private readonly generate: boolean
  private readonly trace: Json
  private readonly name: string
  private readonly form: Form

  constructor(trace: Json, generate: boolean) {
    this.generate = generate
    this.trace = trace
    this.name = String(get(trace, 'test'))
    this.form = {
      bytes: 'latin1',
      tolerance: /QF/.test(show(plain(get(trace, 'doc')))) ? 0.05 : 1e-9,
      ignoreOrder: get(trace, 'mapOrderDependent') === true,
    }
  }

  play(): string[] {
    const loadError = get(this.trace, 'expectLoadError')
    let program: Program
    try {
      program = compile(get(this.trace, 'doc') as object, { generate: this.generate })
    } catch (error) {
      if (traceErrors.refused(this.name)) return []
      if (loadError === undefined)
        this.problem(`does not load: ${error instanceof PfaError ? error.message : (error as Error).stack}`)
      else this.compareKind(error, loadError, 'load')
      return this.problems
    }
    if (loadError !== undefined) {
      if (!traceErrors.loads(this.name)) this.problem(`loads, expected ${show(plain(loadError))}`)
      return this.problems
    }
    this.playCalls(program)
    return this.problems
  }

  private playCalls(program: Program): void {
    const emitted: unknown[] = []
    const logged: unknown[] = []
    const start = () =>
      program.start({
        emit: (value) => emitted.push(value),
        log: (values, namespace) => logged.push({ namespace: namespace ?? null, values }),
      })
    const instances = Array.from({ length: number(get(this.trace, 'multiplicity')) ?? 1 }, start)
    for (const [index, call] of items(get(this.trace, 'calls')).entries()) {
      emitted.length = 0
      logged.length = 0
      const instance = instances[number(get(call, 'instance')) ?? 0] as Instance
      const before = this.problems.length
      this.playCall(program, instance, call, emitted)
      this.compareLog(call, logged)
      if (traceErrors.call(this.name, index)) this.problems.length = before
    }
    this.compareState(program, instances.at(-1) as Instance)
  }

  private playCall(program: Program, instance: Instance, call: Json, emitted: readonly unknown[]): void {
    const op = get(call, 'op')
    const expectedError = get(call, 'error')
    const nondeterministic = get(this.trace, 'nondeterministic') === true
    try {
      const result = this.perform(program, instance, call)
      if (expectedError !== undefined) this.problem(`${show(plain(call))} gave ${show(result)}`)
      else if (nondeterministic) return
      else if (program.method === 'emit') this.compareEmitted(program, call, emitted)
      else if (
        op === 'action' &&
        get(call, 'output') !== undefined &&
        !same(program.checked.output, result, get(call, 'output'), this.form)
      ) {
        this.problem(`${show(plain(call))} gave ${show(result)}`)
      }
    } catch (error) {
      if (expectedError !== undefined) this.compareKind(error, expectedError, show(plain(call)))
      else if (get(call, 'inputInvalid') !== true)
        this.problem(
          `${show(plain(call))} failed: ${error instanceof PfaError ? error.message : (error as Error).stack}`,
        )
    }
  }

  private perform(program: Program, instance: Instance, call: Json): unknown {
    switch (get(call, 'op')) {
      case 'begin':
        return instance.begin()
      case 'end':
        return instance.end()
      case 'action':
        return instance.action(toInput(program.checked.input, get(call, 'input'), this.form))
      case 'snapshot':
        return this.compareSnapshot(instance.snapshot(), get(call, 'output'), 'snapshot')
      case 'setTally':
        instance.tally = plain(get(call, 'value'))
        return undefined
      case 'merge': {
        const [one, two] = items(get(call, 'inputs'))
        return instance.merge(plain(one), plain(two))
      }
      default:
        throw new Error(`unknown call ${show(plain(call))}`)
    }
  }

  private compareKind(error: unknown, expected: Json, what: string): void {
    const kind = kinds[String(get(expected, 'kind'))]
    const code = number(get(expected, 'code'))
    const right =
      error instanceof PfaError &&
      (kind === undefined || error.kind === kind) &&
      (code === undefined || error.code === code)
    if (!right)
      this.problem(
        `${what} failed with ${error instanceof PfaError ? `${error.kind} ${error.code} ${error.message}` : (error as Error).stack}, expected ${show(plain(expected))}`,
      )
  }

  private compareEmitted(program: Program, call: Json, emitted: readonly unknown[]): void {
    const expected = items(get(call, 'emitted'))
    const right =
      expected.length === emitted.length &&
      emitted.every((value, index) => same(program.checked.output, value, expected[index], this.form))
    if (!right) this.problem(`${show(plain(call))} emitted ${show(emitted)}`)
  }

  private compareLog(call: Json, logged: readonly unknown[]): void {
    const expected = get(call, 'log')
    if (expected === undefined) return
    const lines = (value: unknown): string[] => (value as unknown[]).map((line) => show(line))
    const [ours, theirs] = [lines(logged), lines(plain(expected))]
    if (this.form.ignoreOrder) {
      ours.sort()
      theirs.sort()
    }
    if (ours.join() !== theirs.join()) this.problem(`${show(plain(call))} logged ${ours.join()}`)
  }

  private compareState(program: Program, instance: Instance): void {
    const tally = get(this.trace, 'finalTally')
    if (tally !== undefined && !same(program.checked.output, instance.tally, tally, this.form)) {
      this.problem(`final tally ${show(instance.tally)}, expected ${show(plain(tally))}`)
    }
    // The state of a shortened trace is that after the calls left out.
    if (get(this.trace, 'nondeterministic') !== true && get(this.trace, 'truncated') === undefined) {
      this.compareSnapshot(instance.snapshot(), get(this.trace, 'finalState'), 'final state')
    }
  }

  private compareSnapshot(
    state: { readonly cells: object; readonly pools: object },
    expected: Json | undefined,
    what: string,
  ): void {
    for (const part of ['cells', 'pools'] as const) {
      for (const [name, value] of Object.entries((plain(get(expected, part)) as object | undefined) ?? {})) {
        const ours = Reflect.get(state[part], name)
        if (!sameJson(ours, value)) this.problem(`${what}: ${part} ${name} is ${show(ours)}, expected ${show(value)}`)
      }
    }
  }

  private problem(text: string): void {
    this.problems.push(
      `${this.name} ${text.slice(0, 1500)}\n   in ${show(plain(get(this.trace, 'doc'))).slice(0, 1200)}`,
    )
  }
}

/** Values in JSON: unions may be tagged in one and not in the other. */
function sameJson(ours: unknown, theirs: unknown): boolean {
  if (ours === theirs) return true
  if (typeof ours === 'number' && typeof theirs === 'number')
    return Math.abs(ours - theirs) <= 1e-9 * Math.max(Math.abs(ours), Math.abs(theirs))
  if (typeof ours === 'bigint' || typeof theirs === 'bigint') return String(ours) === String(theirs)
  if (Array.isArray(ours) && Array.isArray(theirs))
    return ours.length === theirs.length && ours.every((item, index) => sameJson(item, theirs[index]))
  if (typeof ours !== 'object' || typeof theirs !== 'object' || ours === null || theirs === null) {
    return (
      (untagged(ours) !== ours && sameJson(untagged(ours), theirs)) ||
      (untagged(theirs) !== theirs && sameJson(ours, untagged(theirs)))
    )
  }
  const keys = Object.keys(theirs)
  if (
    keys.length === Object.keys(ours).length &&
    keys.every((key) => Object.hasOwn(ours, key) && sameJson(Reflect.get(ours, key), Reflect.get(theirs, key)))
  )
    return true
  return untagged(ours) !== ours && sameJson(untagged(ours), theirs)
}

const untagged = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const keys = Object.keys(value)
  return keys.length === 1 ? Reflect.get(value, keys[0] as string) : value
}

describe.skipIf(!isPresent).each([
  ['generated', true],
  ['interpreted', false],
])('recorded documents, %s', (_, generate) => {
  for (const file of list('traces').filter((name) => !name.startsWith('_') || name === '_probes.json')) {
    test(file, () => {
      const problems = items(json(`traces/${file}`)).flatMap((trace) => new Player(trace, generate).play())
      expect(problems.slice(0, 10).join('\n'), `${problems.length} problems`).toBe('')
    })
  }
})
