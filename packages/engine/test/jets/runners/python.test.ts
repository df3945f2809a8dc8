// Where Python is found, what is said when it is not, and that models run with it as the engine starts them.
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'
import { frameAt } from '@pitot/codec'
import { type Emissions, type Jet, JetDeath, type JetOptions, SharedStateTable, startJet } from '@pitot/jet'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { findPython } from '../../../../../test/servers/python.ts'
import { pythonRunner } from '../../../src/jets/runners/python.ts'

const base = mkdtempSync(join(tmpdir(), 'pitot-python-runner-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const MEMORY = 512 * 2 ** 20
let sandboxes = 0

/** A program by this name that prints a text. */
function program(name: string, script: string): string {
  const file = join(base, name)
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

async function jetOf(
  source: string,
  { python, ...more }: Partial<JetOptions> & { python?: string } = {},
): Promise<Jet> {
  const folder = mkdtempSync(join(base, 'jet-'))
  writeFileSync(join(folder, 'model.py'), source)
  const jet = await startJet({
    runner: await pythonRunner({ python, memory: more.memory ?? MEMORY }),
    sandbox: String(++sandboxes),
    folder,
    memory: MEMORY,
    timeout: 20,
    network: false,
    isolation: 'auto',
    state: new SharedStateTable(),
    console: () => undefined,
    log: () => undefined,
    ...more,
  })
  onTestFinished(() => jet.kill())
  const slots = [0, 1].map((slot) => ({ slot, recordsets: false, action: slot === 0 ? 'action' : null }))
  await jet.load({
    language: 'python3',
    name: 'test',
    file: 'model.py',
    sandbox: '1',
    timeout: 20,
    slots,
    attached: [],
  })
  for (const slot of [0, 1]) {
    await jet.attach({ slot, stream: { encoding: 'json', options: {}, schema: null, room: 1 } })
  }
  return jet
}

async function score(jet: Jet, ...texts: string[]): Promise<{ texts: string[]; rejects: Emissions['rejects'] }> {
  const bytes = Buffer.from(texts.join('\n'))
  let at = 0
  const bounds = texts.flatMap((text) => {
    const start = at
    at += text.length + 1
    return [start, start + text.length]
  })
  const { outputs, rejects } = await jet.score({
    slot: 0,
    frames: { bytes, bounds, position: 0 },
    first: 1,
    isRecordset: false,
  })
  const frames = outputs[0]?.frames
  const scored =
    frames === undefined
      ? []
      : frames.bounds
          .filter((_, index) => index % 2 === 0)
          .map((_, index) => Buffer.from(frameAt(frames, index)).toString())
  return { texts: scored, rejects }
}

describe('the interpreter', () => {
  test('is found on the path, whatever stands there in its place', async () => {
    const runner = await pythonRunner({ memory: MEMORY })
    expect(isAbsolute(runner.command)).toBe(true)
    expect(runner.environment.PITOT_JET_MEMORY).toBe(String(MEMORY))
    expect(runner.readable.every(isAbsolute)).toBe(true)
  })

  test('may be named by a path from here, though jets work elsewhere', async () => {
    const { command } = await pythonRunner({ memory: MEMORY })
    const link = join(base, 'linked')
    symlinkSync(command, link)
    const jet = await jetOf('def action(x): return x', { python: relative(process.cwd(), link) })
    expect((await score(jet, '7')).texts).toEqual(['7'])
  })

  test.each([
    ['is not there', '/nowhere/python', /need Python 3\.9 or newer \(\/nowhere\/python: not found\): .*--python$/],
    [
      'is too old',
      program('old', `echo '{"version": [3, 8, 18], "executable": "/old", "folders": [], "userBase": null}'`),
      /\(\S+old is Python 3\.8\.18\)/,
    ],
    [
      'is Python 2',
      program('two', 'echo "  File \\"<string>\\", line 3" >&2; echo "SyntaxError: invalid syntax" >&2; exit 1'),
      /two: SyntaxError: invalid syntax/,
    ],
    ['is something else', program('other', 'echo hello'), /other: .*hello/],
  ])('%s', async (_, python, sentence) => {
    await expect(pythonRunner({ python, memory: MEMORY })).rejects.toThrow(sentence)
  })
})

describe('jets', () => {
  test('score, with whatever isolation there is', async () => {
    const jet = await jetOf('import json, os, sys\ndef action(x): return [x * x, os.listdir(".")]')
    expect((await score(jet, '2', '3')).texts).toEqual(['[4,["model.py"]]', '[9,["model.py"]]'])
  })

  test('allocating without end costs one record', async () => {
    const jet = await jetOf(
      'def action(x):\n    held = []\n    while x == 2: held.append(bytearray(4000000))\n    return x',
      {
        memory: 300 * 2 ** 20,
      },
    )
    const { texts, rejects } = await score(jet, '1', '2', '3')
    expect(texts).toEqual(['1', '3'])
    expect(rejects).toMatchObject([{ index: 1, step: 'model', reason: 'MemoryError (model.py, line 3)' }])
  })

  test('a jet that ends is dead at once', async () => {
    const jet = await jetOf('import os\ndef action(x): os._exit(3)')
    await expect(score(jet, '1')).rejects.toBeInstanceOf(JetDeath)
  })

  const found = findPython(['numpy', 'pandas', 'scikit-learn'])

  test.skipIf('missing' in found)('use the libraries of a virtual environment', async () => {
    const jet = await jetOf(
      `
import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression
fitted = LinearRegression().fit(np.arange(6.0).reshape(-1, 1), 2 * np.arange(6.0) + 1)
def action(x): return fitted.predict(pd.DataFrame([[x]]).to_numpy()).round(6)[0]
`,
      { python: 'python' in found ? found.python : '', memory: 2 ** 30 },
    )
    expect((await score(jet, '10', '20')).texts).toEqual(['21.0', '41.0'])
  })
})
