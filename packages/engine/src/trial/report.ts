// The report of a trial: what came of it goes in, a text for people to read comes out. Its size is bounded whatever the model does.
import type { RejectedRecord, StepCount } from '../job/control.ts'
import { sourceFile } from '../model/languages.ts'
import { slotName } from '../slots/table.ts'
import { recordText } from '../status/record-text.ts'
import { type Kept, longestRecord, type Output } from './findings.ts'
import type { TrialStream } from './request.ts'
import type { Trial } from './trial.ts'
import { countsOf, verdict } from './verdict.ts'

/** Characters; room for a record in base64. */
const longestLine = 2 * longestRecord
const mostTraceLines = 30
/** Characters; reached only by a model that makes everything as long as it can. */
const longestReport = 256 * 1024
const longestSchema = 200

type Line = readonly [name: string, value: string]

export function trialReport(trial: Trial): string {
  const sections = [
    section('Model', table(modelLines(trial))),
    section('Streams', table(streamLines(trial))),
    section('Records', table(recordLines(trial))),
    section(counted('Rejected', trial.findings.rejects), rejectLines(trial)),
    section('What the engine remarked', trial.findings.remarks.first.map(shortened)),
    section('What the model printed', consoleLines(trial)),
    section(counted('Outputs', trial.findings.outputs), trial.findings.outputs.first.map(outputLine)),
    section('Time', table(timeLines(trial))),
  ]
  const body = visible(sections.join(''))
  const cut = body.length > longestReport ? `${body.slice(0, longestReport).toWellFormed()}\n… (cut here)\n\n` : body
  return `${cut}${visible(verdict(trial))}\n`
}

/** Nothing where there is nothing to say. */
function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}\n${lines.map((line) => `  ${line}\n`).join('')}\n`
}

function counted(title: string, { first, count }: Kept<unknown>): string {
  return first.length < count ? `${title}, the first ${first.length} of ${count}` : title
}

function table(lines: readonly Line[]): string[] {
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${shortened(value)}`)
}

function modelLines({ request, loaded, report }: Trial): Line[] {
  const { language, source, attachments } = request.model
  const used = loaded.slots.filter(({ action }) => action !== null)
  return [
    ['language', `${language}, ${source.length} bytes`],
    ...attachments.map(({ name, type, size }): Line => ['attachment', `${name}, ${type}, ${size} bytes`]),
    ...used.map(({ slot, schema, recordsets, action }): Line => {
      const sets = recordsets ? ', in record sets' : ''
      return [`slot ${slotName(slot)}`, `${slot % 2 === 0 ? `for ${action}, ` : ''}${schemaText(schema)}${sets}`]
    }),
    ...loaded.warnings.map((warning): Line => ['warning', warning]),
    ...report.jets.slice(0, 1).map(({ isolation }): Line => ['isolation', isolation.join('; ')]),
  ]
}

function schemaText(schema: unknown): string {
  if (schema === undefined || schema === null) return 'any type'
  const text = typeof schema === 'string' ? schema : JSON.stringify(schema)
  return text.length > longestSchema ? `${text.slice(0, longestSchema)}…` : text
}

function streamLines({ request, report, warnings }: Trial): Line[] {
  return [
    ['input', streamText(request.input)],
    ['output', request.output === undefined ? 'none was given: see below' : streamText(request.output)],
    ...(report.input?.eof === false ? [['input', 'was not read to its end'] as const] : []),
    ...warnings.map((warning): Line => ['warning', warning]),
  ]
}

function streamText({ name, descriptor }: TrialStream): string {
  const text = JSON.stringify(descriptor)
  return name === undefined ? text : `${name}: ${text}`
}

function recordLines(trial: Trial): Line[] {
  const { findings } = trial
  const { read, scored } = countsOf(trial)
  const lines: (readonly [name: string, count: number, remark?: string | undefined])[] = [
    ['read', read, whyNoMore(trial)],
    ['scored', scored],
    ['rejected', findings.rejectedInputs],
    ['written', findings.outputs.count],
  ]
  if (findings.rejectedPieces > 0) lines.push(['not cut', findings.rejectedPieces, 'no record could be found in them'])
  if (findings.rejectedOutputs > 0) lines.push(['outputs rejected', findings.rejectedOutputs])
  return lines.map(([name, count, remark]) => [name, String(count) + (remark === undefined ? '' : `: ${remark}`)])
}

/** Why reading has ended where it has. */
function whyNoMore(trial: Trial): string | undefined {
  const { limits, isCut, isReadingCut, report } = trial
  if (countsOf(trial).read >= limits.records) return 'a trial reads no more'
  if (isCut) return `the trial was ended after ${seconds(trial.running + trial.loading)}`
  if (isReadingCut) return `a trial reads for ${limits.reading / 1000} s at most`
  return report.state === 'FINISHED' ? 'to the end of the stream' : undefined
}

function rejectLines({ findings, request }: Trial): string[] {
  const lines = Buffer.from(request.model.source).toString().split('\n')
  const file = sourceFile(request.model.language)
  return findings.rejects.first.flatMap((record) => [
    shortened(`${placeOf(record)}, by ${record.step}: ${record.reason}`),
    ...(record.bytes.length > 0 ? [`    record: ${textOf(record.bytes)}`] : []),
    ...traceLines(record).map((line) => `    ${line}`),
    ...sourceLines(record, file, lines).map((line) => `    ${line}`),
  ])
}

function placeOf({ position, slot }: RejectedRecord): string {
  if (slot % 2 === 1) return `an output for slot ${slotName(slot)}`
  if (position === null) return 'when the model ended'
  const { record, offset } = position as { record?: unknown; offset?: unknown }
  if (typeof record === 'number') return `record ${record}`
  return typeof offset === 'number'
    ? `the record that ends at byte ${offset}`
    : `the record at ${JSON.stringify(position)}`
}

function traceLines({ trace }: RejectedRecord): string[] {
  const lines = trace?.trimEnd().split('\n') ?? []
  // The innermost call is at one end or the other, as languages differ.
  if (lines.length <= mostTraceLines) return lines.map(shortened)
  const half = mostTraceLines / 2
  return [...lines.slice(0, half), '…', ...lines.slice(-half)].map(shortened)
}

/** The line of the model that the reason or the trace leads to, where neither has it already. */
function sourceLines({ reason, trace = '' }: RejectedRecord, file: string, source: readonly string[]): string[] {
  const place = new RegExp(`${file.replaceAll('.', '\\.')}(?:"?, line |:)(\\d+)`).exec(`${reason}\n${trace}`)
  const number = Number(place?.[1] ?? 0)
  const line = source[number - 1]
  return line === undefined || trace.includes(line.trim()) ? [] : [shortened(`line ${number}: ${line.trim()}`)]
}

function consoleLines({ findings }: Trial): string[] {
  const { console: text, consoleCut } = findings
  const lines = text.trimEnd() === '' ? [] : text.trimEnd().split('\n').map(shortened)
  return consoleCut === 0 ? lines : [...lines, `… and ${consoleCut} characters more`]
}

function outputLine({ slot, bytes }: Output): string {
  return slot === 1 ? textOf(bytes) : `slot ${slot}: ${textOf(bytes)}`
}

function timeLines({ loading, running, report }: Trial): Line[] {
  const model = report.jets.reduce((sum, { model_time }) => sum + model_time, 0)
  const { steps } = report
  const named: (readonly [name: string, step: StepCount])[] = [
    ['cutting the input', steps.unwrap_envelope],
    ['decoding', steps.decode_input_record],
    ['checking inputs', steps.type_check_input],
    ['in the model', { seconds: model, times: steps.decode_input_record.times }],
    ['checking outputs', steps.type_check_output],
    ['encoding', steps.decode_output_record],
    ['wrapping the output', steps.wrap_envelope],
  ]
  return [
    ['loading', seconds(loading)],
    ['running', seconds(running)],
    ...named
      .filter(([, { times }]) => times > 0)
      .map(([name, step]): Line => [name, `${seconds(step.seconds)}, ${step.times} times`]),
  ]
}

function textOf(bytes: Uint8Array): string {
  const isCut = bytes.length > longestRecord
  const { text, isBase64 } = recordText(isCut ? wholeCharacters(bytes) : bytes)
  return `${shortened(text)}${isCut ? '…' : ''}${isBase64 ? ' (base64)' : ''}`
}

/** As much as is shown, up to where a character begins. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let end = longestRecord
  while (end > longestRecord - 4 && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.subarray(0, end)
}

function seconds(value: number): string {
  return value < 1 ? `${(value * 1000).toFixed(1)} ms` : `${value.toFixed(2)} s`
}

/** One line, of bounded length. */
function shortened(text: string): string {
  const line = text.replace(/\r?\n/g, ' ')
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line
}

/** What records and models say may hold anything; a terminal must not obey it. */
function visible(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get through
  const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
  return text
    .toWellFormed()
    .replace(control, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
