// The process around a model: descriptors, console, attachments, and how it ends.
import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { PythonJet } from './python-jet.ts'

describe('the console', () => {
  test('what is printed is there by the time of the answer, and never in the protocol', async () => {
    const jet = await PythonJet.start(`
import os, sys
print('while importing')
def action(x):
    print('é', x, end='')
    print('\\ud800', file=sys.stderr)
    os.write(1, b'raw\\n')
    return x
`)
    await jet.score(['1'])
    jet.process.send({ kind: 'stop' })
    await jet.process.ended
    const text = jet.process.console
    for (const piece of ['while importing\n', 'é 1', '\\ud800\n', 'raw\n']) expect(text).toContain(piece)
  })

  test('a model may close or replace its streams', async () => {
    const jet = await PythonJet.start('import sys\nsys.stdout.close()\nsys.stderr = None\ndef action(x): return x')
    expect((await jet.score(['1'])).texts).toEqual(['1'])
  })
})

describe('attachments', () => {
  test('modules of the folder can be imported, files opened by their names', async () => {
    const jet = await PythonJet.start(
      'import factor\ndef begin():\n    global n\n    n = int(open("n.txt").read())\ndef action(x): return x * n * factor.of',
      {
        files: { 'factor.py': 'of = 10\n', 'n.txt': '3' },
      },
    )
    await jet.begin()
    expect((await jet.score(['2'])).texts).toEqual(['60'])
    // Nothing is left behind in a folder that is the model's.
    expect(readdirSync(jet.folder).sort()).toEqual(['factor.py', 'model.py', 'n.txt'])
  })

  test('a module is loaded from a file as older models do', async () => {
    const jet = await PythonJet.start(
      "import imp\nimport cPickle\ndef begin():\n    global t\n    t = imp.load_source('transformer', 'transformer.py')\ndef action(x): return cPickle.loads(cPickle.dumps(t.twice(x)))",
      { files: { 'transformer.py': 'def twice(x): return 2 * x\n' }, language: 'python' },
    )
    await jet.begin()
    expect((await jet.score(['4'])).texts).toEqual(['8'])
  })

  test('classes that were pickled in a script are found in the model', async () => {
    const pickled =
      "b'\\x80\\x04\\x95\\x19\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x8c\\x08__main__\\x94\\x8c\\x05Twice\\x94\\x93\\x94)\\x81\\x94.'"
    const jet = await PythonJet.start(
      `import pickle\nclass Twice:\n    def of(self, x): return 2 * x\nloaded = pickle.loads(${pickled})\ndef action(x): return loaded.of(pickle.loads(pickle.dumps(x)))`,
    )
    expect((await jet.score(['4'])).texts).toEqual(['8'])
  })

  test('a traceback shows the lines of an attached module', async () => {
    const jet = await PythonJet.start('import deep\ndef action(x): return deep.down(x)', {
      files: { 'deep.py': 'def down(x):\n    return 1 / x\n' },
    })
    const [reject] = (await jet.score(['0'])).rejects
    expect(reject?.reason).toBe('ZeroDivisionError: division by zero (deep.py, line 2)')
    expect(reject?.trace).toMatch(/File "model\.py", line 2, in action\n(?:.*\n)*.*deep\.py", line 2, in down\n/)
  })

  test('modules of the runner are not in the way of those of the model', async () => {
    const jet = await PythonJet.start(
      'import channel, main, state\ndef action(x): return [channel.own, main.own, state.own]',
      {
        files: { 'channel.py': 'own = 1', 'main.py': 'own = 2', 'state.py': 'own = 3' },
      },
    )
    expect((await jet.score(['1'])).texts).toEqual(['[1,2,3]'])
  })
})

describe('descriptors', () => {
  test('standard input is empty; 3 and 4 lead nowhere; nothing is inherited', async () => {
    const jet = await PythonJet.start(`
import os, subprocess, sys
def action(x):
    os.write(3, b'garbage')
    os.write(4, b'garbage')
    script = "import os; print([fd for fd in map(int, os.listdir('/proc/self/fd')) if fd > 255])"
    inherited = subprocess.run([sys.executable, '-c', script], capture_output=True, text=True, close_fds=False).stdout
    return [sys.stdin.read(), os.read(3, 10).decode(), inherited.strip()]
`)
    expect((await jet.score(['1'])).texts).toEqual(['["","","[]"]'])
  })
})

describe('the end', () => {
  test('stop ends the process with status 0, after what was asked before', async () => {
    const jet = await PythonJet.start('import atexit\natexit.register(print, "bye")\ndef action(x): return x')
    const scored = jet.score(['1'])
    jet.process.send({ kind: 'stop' })
    expect((await scored).texts).toEqual(['1'])
    expect(await jet.process.ended).toEqual({ status: 0, signal: null })
    expect(jet.process.console).toBe('bye\n')
  })

  test('stop does not wait for threads', async () => {
    const jet = await PythonJet.start(
      'import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()\ndef action(x): return x',
    )
    jet.process.send({ kind: 'stop' })
    expect(await jet.process.ended).toEqual({ status: 0, signal: null })
  })

  test('the end of descriptor 3 ends it with status 0, whatever threads there are', async () => {
    const jet = await PythonJet.start(
      'import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()\ndef action(x): return x',
    )
    jet.process.hangUp()
    expect(await jet.process.ended).toEqual({ status: 0, signal: null })
  })

  test.each([
    ['a length of zero', [0, 0, 0, 0, 1]],
    ['a length beyond the limit', [255, 255, 255, 255, 4]],
    ['a kind that is none', [1, 0, 0, 0, 99]],
    ['a load that is no JSON', [3, 0, 0, 0, 1, 0x7b, 0x7b]],
    ['a message that is cut off', [9, 0, 0, 0, 4, 1]],
  ])('%s ends it with status 70', async (_, bytes) => {
    const jet = new PythonJet('def action(x): return x')
    await jet.process.receive()
    jet.process.sendBytes(Uint8Array.from(bytes))
    jet.process.hangUp()
    expect(await jet.process.ended).toEqual({ status: 70, signal: null })
  })

  test('records before any model end it with status 70', async () => {
    const jet = new PythonJet('def action(x): return x')
    await expect(jet.score(['1'])).rejects.toThrow()
    expect(await jet.process.ended).toEqual({ status: 70, signal: null })
  })

  test('an interrupt from a terminal does not end it', async () => {
    const jet = await PythonJet.start('def action(x): return x')
    // Through a shell that chooses among interpreters the pid may be another.
    if (existsSync(`/proc/${jet.process.pid}`)) process.kill(jet.process.pid, 'SIGINT')
    expect((await jet.score(['1'])).texts).toEqual(['1'])
  })
})
