// error, try, log.
import { code, compileJson, join } from '@pitot/avro'
import type { Fail, Log, Try } from '../check/typed.ts'
import { finishNull, writeBlock, writeValues } from './expressions.ts'
import type { FunctionWriter, Sink } from './writer.ts'

export function writeFail(node: Fail, writer: FunctionWriter, _sink: Sink): void {
  const fail = writer.program.constant(writer.program.userError(node.message, node.code, node.at), 'fail')
  writer.line(code`throw ${fail}();`)
}

/** Gives null when the body fails in a way that the filter names; other errors and time-outs go on. */
export function writeTry(node: Try, writer: FunctionWriter, sink: Sink): void {
  const catches = writer.program.constant(writer.program.catcher(node.filter), 'catches')
  const inner = writer.inner()
  writeBlock(node.body, inner, sink)
  const failed = writer.inner()
  const error = writer.names.name('error')
  failed.line(code`if (!${catches}(${error})) throw ${error};`)
  finishNull(failed, sink)
  writer.line(code`try { ${inner.body} } catch (${error}) { ${failed.body} }`)
}

/** Values go to the log as Avro's JSON has them. */
export function writeLog(node: Log, writer: FunctionWriter, sink: Sink): void {
  const pieces = writeValues(node.values, writer)
  const plain = node.values.map((value, index) => {
    const piece = pieces[index]?.code ?? code`null`
    return value.type.kind === 'exception'
      ? piece
      : code`${writer.program.constant(compileJson(value.type).writeValue, 'plain')}(${piece})`
  })
  writer.line(code`${writer.program.log}([${join(plain, code`, `)}], ${node.namespace});`)
  finishNull(writer, sink)
}
