// Trees into programs: a node comes in, instructions of a nondeterministic automaton go out, forward or backward.
import type { Assertion, Node } from './syntax.ts'

type Instruction =
  | { readonly kind: 'set'; readonly set: number; readonly next: number }
  | { readonly kind: 'assertion'; readonly test: Assertion; readonly next: number }
  /** Go on at both; the first is preferred where there is a preference. */
  | { readonly kind: 'fork'; readonly first: number; readonly second: number }
  | { readonly kind: 'open' | 'close'; readonly group: number; readonly next: number }
  | { readonly kind: 'reference'; readonly group: number; readonly next: number }
  | { readonly kind: 'match' }

export interface Program {
  readonly instructions: readonly Instruction[]
  readonly start: number
}

interface ProgramOptions {
  /** Reads what the node matches from its end to its beginning. */
  readonly backward?: boolean
  /** Notes where groups begin and end. */
  readonly withGroups?: boolean
}

export function makeProgram(node: Node, { backward = false, withGroups = false }: ProgramOptions = {}): Program {
  const instructions: Instruction[] = []
  const add = (instruction: Instruction) => instructions.push(instruction) - 1

  /** The place where matching `node`, and then what is at `next`, begins. */
  const compile = (node: Node, next: number): number => {
    switch (node.kind) {
      case 'empty':
        return next
      case 'set':
        return add({ kind: 'set', set: node.set, next })
      case 'assertion':
        return add({ kind: 'assertion', test: node.test, next })
      case 'reference':
        return add({ kind: 'reference', group: node.index, next })
      case 'sequence': {
        // Each part needs to know where the following begins, so the last is compiled first.
        const parts = backward ? node.parts : node.parts.toReversed()
        return parts.reduce((following, part) => compile(part, following), next)
      }
      case 'choice': {
        const starts = node.options.map((option) => compile(option, next))
        return starts.reduceRight((second, first) => add({ kind: 'fork', first, second }))
      }
      case 'repeat': {
        if (Number.isFinite(node.most)) {
          let start = next
          for (let i = 0; i < node.most; i++)
            start = add({ kind: 'fork', first: compile(node.body, start), second: next })
          return start
        }
        const fork = add({ kind: 'match' }) // a place to come back to, filled below
        instructions[fork] = { kind: 'fork', first: compile(node.body, fork), second: next }
        return fork
      }
      case 'group': {
        if (!withGroups) return compile(node.body, next)
        const end = add({ kind: 'close', group: node.index, next })
        return add({ kind: 'open', group: node.index, next: compile(node.body, end) })
      }
    }
  }

  const start = compile(node, add({ kind: 'match' }))
  return { instructions, start }
}
