import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { InputSlot, type ReadMark } from '../../src/slots/input.ts'
import { readSlot } from '../../src/slots/read.ts'
import { recordsOf } from '../manifold/pieces.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pitot-slot-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const csv = { Encoding: 'csv', Schema: { type: 'record', name: 'Row', fields: [{ name: 'n', type: 'int' }] } }
const lines = { Envelope: 'delimited', Encoding: 'json' }

/** The first records of a file that an earlier run has left at this mark. */
async function firstRecords(text: string, more: object, left: ReadMark): Promise<string[]> {
  const path = join(folder, 'in')
  writeFileSync(path, text)
  const given = { Transport: { Type: 'file', Path: path }, Loop: false, ...more }
  const { read } = await readSlot(0, given, undefined, { schema: async () => undefined })
  const slot = await InputSlot.open(read, { transport: { log: () => undefined, allowExec: [] } }, left)
  try {
    for await (const piece of slot.stream) if (piece.kind === 'frames') return recordsOf(piece)
    return []
  } finally {
    await slot.close()
  }
}

const numbers = '0\n1\n2\n'
const rows = 'n\r\n0\r\n1\r\n2\r\n3\r\n4\r\n'

test.each([
  ['bytes go on at the position', numbers, lines, { position: { offset: 2 }, records: 1 }, ['1', '2']],
  ['a file with a header is read again up to there', rows, csv, { position: {}, records: 2 }, ['2', '3', '4']],
  [
    'what the descriptor skips is skipped besides',
    rows,
    { ...csv, SkipToRecord: 1 },
    { position: {}, records: 2 },
    ['3', '4'],
  ],
  ['a file that loops begins anew', rows, { ...csv, Loop: true }, { position: {}, records: 99 }, [...'01234']],
])('taken up again: %s', async (_, text, more, left, expected) => {
  expect(await firstRecords(text, more, left)).toEqual(expected)
})
