// Checks and conversions of values: a type goes in, compiled functions come out.
import { canEvaluate } from '../code.ts'
import type { Mismatch } from '../error.ts'
import type { AvroType } from '../type.ts'
import { interpretCheck } from './check.ts'
import { generateCheck } from './check-code.ts'
import { type Convert, type ConvertOptions, type InterpretOptions, interpretConvert } from './convert.ts'
import { generateConvert } from './convert-code.ts'
import { toError, toMismatch } from './refusal.ts'

export interface CompileOptions {
  /** False: no generated code, for pages whose content policy forbids it. Default: generated wherever that is possible. */
  readonly generate?: boolean
}

export function generates(options: CompileOptions): boolean {
  return options.generate ?? canEvaluate()
}

/** The function says what is wrong with a value in our representation, or undefined when it is a value of the type. */
export function compileCheck(type: AvroType, options: CompileOptions = {}): (value: unknown) => Mismatch | undefined {
  const passes = generates(options) ? generateCheck(type) : undefined
  const inspect = interpretCheck(type)
  return (value) => {
    try {
      if (passes?.(value) === true) return undefined
      inspect(value)
    } catch (error) {
      return toMismatch(error)
    }
    return undefined
  }
}

/**
 * The function takes what `JSON.parse` gives (and values in our representation, and mixtures) and gives a value of the
 * type, or throws an `AvroError`. Where nothing has to change the value given back is the one that came in, so whoever
 * keeps it must not change it.
 */
export function compileConvert(type: AvroType, options: CompileOptions & ConvertOptions = {}): Convert {
  const explain = interpretConvert(type, options)
  const convert = generates(options) ? generateConvert(type, options) : explain
  return (value) => {
    try {
      return convert(value)
    } catch (error) {
      return convert === explain ? fail(error) : again(explain, value)
    }
  }
}

/** The fast version was not sure about the value: the explaining one decides. */
export function again(explain: Convert, value: unknown): unknown {
  try {
    return explain(value)
  } catch (error) {
    return fail(error)
  }
}

export function fail(error: unknown): never {
  throw toError(error)
}

/** The fastest conversion there is for these options; it throws anything when a value does not fit. */
export function bareConvert(type: AvroType, options: CompileOptions & InterpretOptions): Convert {
  return generates(options) ? generateConvert(type, options) : interpretConvert(type, options)
}
