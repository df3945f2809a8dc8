// Models that do harm: what costs one record costs one record, what kills the process kills it at once, and nothing else
// ever reaches the host.
import { describe, expect, test } from 'vitest'
import { PythonJet } from './python-jet.ts'

const MEMORY = 256 * 2 ** 20
const numbers = Array.from({ length: 300 }, (_, at) => String(at + 1))

describe('what costs a record', () => {
  test('raising on every 97th', async () => {
    const jet = await PythonJet.start('def action(x):\n    if x % 97 == 0: raise ValueError(x)\n    yield x')
    const { texts, rejects } = await jet.score(numbers)
    expect(rejects.map(({ index }) => index)).toEqual([96, 193, 290])
    expect(texts).toEqual(numbers.filter((number) => Number(number) % 97 !== 0))
  })

  test('allocating without end', async () => {
    const jet = await PythonJet.start(
      `
def action(x):
    if x == 2:
        pieces = []
        while True: pieces.append(bytearray(1000000))
    yield x
`,
      { memory: MEMORY },
    )
    const { texts, rejects } = await jet.score(['1', '2', '3'])
    expect(texts).toEqual(['1', '3'])
    expect(rejects).toMatchObject([{ index: 1, step: 'model', reason: 'MemoryError (model.py, line 5)' }])
  })

  test('one piece larger than there is', async () => {
    const jet = await PythonJet.start('def action(x): return len(bytearray(x))', { memory: MEMORY })
    const { texts, rejects } = await jet.score(['10', '1000000000', '20'])
    expect(texts).toEqual(['10', '20'])
    expect(rejects).toMatchObject([{ index: 1, reason: 'MemoryError (model.py, line 1)' }])
  })

  test('writing to every descriptor', async () => {
    const jet = await PythonJet.start(`
import os
def action(x):
    for fd in range(1024):
        try: os.write(fd, b'\\xff\\xff\\xff\\xff garbage')
        except OSError: pass
    for fd in range(3, 1024):
        try: os.close(fd)
        except OSError: pass
    yield x
`)
    expect(await jet.score(['1', '2'])).toMatchObject({ texts: ['1', '2'], rejects: [] })
    expect(await jet.score(['3'])).toMatchObject({ texts: ['3'], rejects: [] })
  })
})

describe('forking', () => {
  test.each([
    ['children that come back', 'os.fork()'],
    ['children that leave', 'os.fork() or os._exit(0)'],
    ['children that raise', 'os.fork() or 1 / 0'],
  ])('%s', async (_, fork) => {
    const jet = await PythonJet.start(`import os\ndef action(x):\n    ${fork}\n    yield x`)
    expect(await jet.score(['1', '2', '3'])).toMatchObject({ texts: ['1', '2', '3'], rejects: [] })
    expect(await jet.score(['4'])).toMatchObject({ texts: ['4'], rejects: [] })
  })

  test('processes of the library', async () => {
    const jet = await PythonJet.start(`
import multiprocessing
def square(x): return x * x
def action(x):
    with multiprocessing.get_context('fork').Pool(2) as pool: return pool.map(square, range(x))
`)
    expect((await jet.score(['3'])).texts).toEqual(['[0,1,4]'])
  })
})

describe('what ends the process', () => {
  test.each([
    ['an exit', 'import os\ndef action(x): os._exit(3)', { status: 3, signal: null }],
    ['a crash', 'import ctypes\ndef action(x): ctypes.string_at(0)', { status: null, signal: 'SIGSEGV' }],
    [
      'a signal to itself',
      'import os, signal\ndef action(x): os.kill(os.getpid(), signal.SIGKILL)',
      { status: null, signal: 'SIGKILL' },
    ],
    ['a crash while it is imported', 'import ctypes\nctypes.string_at(0)', { status: null, signal: 'SIGSEGV' }],
  ])('%s', async (_, source, ending) => {
    const jet = new PythonJet(source)
    await jet.load()
    await expect(jet.score(['1'])).rejects.toThrow('no answer')
    expect(await jet.process.ended).toEqual(ending)
  })

  test('a crash shows the line of the model', async () => {
    const jet = await PythonJet.start('import ctypes\ndef action(x):\n    ctypes.string_at(0)')
    await expect(jet.score(['1'])).rejects.toThrow()
    await jet.process.ended
    expect(jet.process.console).toMatch(/Segmentation fault\n(?:.*\n)*.*model\.py", line 3 in action/)
  })

  test('memory that the model does not let go of', async () => {
    const jet = await PythonJet.start('kept = []\ndef action(x):\n    while True: kept.append(bytearray(1000000))', {
      memory: MEMORY,
    })
    await expect(jet.score(['1', '2'])).rejects.toThrow('no answer')
    expect(await jet.process.ended).toEqual({ status: 71, signal: null })
  })

  test('a hang is silent, which the host sees', async () => {
    const jet = await PythonJet.start('import time\ndef action(x):\n    if x == 2: time.sleep(600)\n    return x')
    const answer = jet.score(['1', '2', '3']).catch(() => 'none')
    const silence = new Promise((resolve) => setTimeout(resolve, 400, 'silence'))
    expect(await Promise.race([answer, silence])).toBe('silence')
    await jet.process.kill()
    expect(await answer).toBe('none')
  })
})
