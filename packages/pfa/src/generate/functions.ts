// Calls of library and user functions, functions as arguments, emit.
import { type Code, code, join } from '@pitot/avro'
import type { CallLibrary, CallUser, Choose, Emit, Typed, TypedFunction } from '../check/typed.ts'
import { arrayFunctions } from './arrays.ts'
import { finishNull, inOrder, writeBlock, writeTo, writeValue, writeValues } from './expressions.ts'
import { operators } from './operators.ts'
import { trees } from './trees.ts'
import { declareBindings } from './variables.ts'
import { complex, type FunctionWriter, type Piece, type Sink } from './writer.ts'

/** Writes a call out in place; undefined when the function itself has to be called for these types. */
export type Inliner = (node: CallLibrary, writer: FunctionWriter) => Piece | undefined

const inliners: ReadonlyMap<string, Inliner> = new Map([
  ...Object.entries(operators),
  ...Object.entries(arrayFunctions),
  ...Object.entries(trees),
])

export function writeLibraryCall(node: CallLibrary, writer: FunctionWriter): Piece {
  return inliners.get(node.name)?.(node, writer) ?? callLibrary(node, writer)
}

export function callLibrary(node: CallLibrary, writer: FunctionWriter): Piece {
  const args = writeArguments(node.args, writer)
  return complex(
    code`${writer.program.libraryFunction(node)}(${join(
      args.map((arg) => arg.code),
      code`, `,
    )})`,
  )
}

const writeArguments = (args: readonly (Typed | TypedFunction)[], writer: FunctionWriter): Piece[] =>
  inOrder(
    args.map((arg) => () => (arg.kind === 'function' ? writeFunction(arg, writer) : writeValue(arg, writer))),
    writer,
  )

/** A function as a JavaScript function; one that uses nothing of its surroundings is made once per instance. */
function writeFunction(node: TypedFunction, writer: FunctionWriter): Piece {
  declareBindings(node.bindings, writer)
  const inner = writer.nested()
  const params = node.params.map((param) => inner.declare(param))
  writeBlock(node.body, inner, { kind: 'return' })
  const arrow = code`(${join(params, code`, `)}) => { ${inner.body} }`
  return inner.captures ? complex(arrow) : { code: writer.program.hoist(arrow, 'f'), simple: true }
}

/** The body of a function in place of a call of it: no closure, no call. */
export function writeInlined(node: TypedFunction, args: readonly Piece[], writer: FunctionWriter): Piece {
  declareBindings(node.bindings, writer)
  for (const [index, param] of node.params.entries()) {
    const arg = args[index] as Piece
    if (!param.assigned && arg.simple) writer.alias(param, arg.code)
    else {
      const name = writer.declare(param)
      writer.line(param.assigned ? code`let ${name} = ${arg.code};` : code`const ${name} = ${arg.code};`)
    }
  }
  for (const each of node.body.slice(0, -1)) writeTo(each, writer, { kind: 'nothing' })
  return writeValue(node.body.at(-1) as Typed, writer)
}

export function writeUserCall(node: CallUser, writer: FunctionWriter): Piece {
  const args = writeValues(node.args, writer)
  return complex(
    code`${writer.program.userFunction(node.callee)}(${join(
      args.map((arg) => arg.code),
      code`, `,
    )})`,
  )
}

export function writeEmit(node: Emit, writer: FunctionWriter): Piece {
  writer.line(code`${writer.program.emit}(${writeValue(node.value, writer).code});`)
  return { code: code`null`, simple: true }
}

/** One user function or another, by the value of an enum. */
export function writeChoose(node: Choose, writer: FunctionWriter, sink: Sink): void {
  const choice = writer.keep(writeValue(node.choice, writer), 'choice')
  declareBindings(node.args, writer)
  const branches: Code[] = node.options.map(({ symbol, body }) => {
    const inner = writer.inner()
    writeTo(body, inner, sink)
    return code`case ${symbol}: { ${inner.body} break; }`
  })
  writer.line(code`switch (${choice.code}) { ${branches} }`)
  if (node.options.length === 0) finishNull(writer, sink)
}
