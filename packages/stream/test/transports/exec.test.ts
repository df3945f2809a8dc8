import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import type { StreamContext } from '../../src/index.ts'
import { exec } from '../../src/transports/exec.ts'
import { bytesOf, contextFor, framesOf, joined, readBytes, textOf, transportContract } from './contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'pitot-exec-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0
const fresh = () => join(folder, `${count++}`)
const allowExec = ['sh', '/bin/cat']
const shell = (script: string, ...more: string[]) => ({ Run: 'sh', Args: ['-c', script, 'sh', ...more] })

async function read(script: string, context: Partial<StreamContext> = {}): Promise<string> {
  return textOf(joined(await readBytes(await exec.open!(shell(script), contextFor({ allowExec, ...context })))))
}

async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    // A process that has ended but was not waited for has no memory any more.
    const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : 'State: Z'
    if (/State:\s+Z/.test(status)) return true
    await sleep(20)
  }
  return false
}

transportContract({
  transport: exec,
  input: async (messages) => {
    const path = fresh()
    writeFileSync(path, joined(messages))
    return { options: { Run: '/bin/cat', Args: [path] }, context: { allowExec } }
  },
  output: async () => {
    const path = fresh()
    return {
      options: shell('cat > "$1"', path),
      context: { allowExec },
      received: async () => [readFileSync(path)],
    }
  },
  brokenInput: async () => ({
    options: { Run: 'ls', Args: [] },
    context: { allowExec },
    mentions: /ls may not be run here .*allowed: sh.*--allow-exec/,
  }),
  brokenOutput: async () => ({
    options: { Run: 'sh', Args: [] },
    mentions: /sh may not be run here \(nothing is allowed\)/,
  }),
})

describe('what may run', () => {
  test.each([
    ['cat', ['cat'], true],
    ['cat', ['/bin/sh'], false],
    ['/bin/../bin/cat', ['/bin/cat'], true],
    ['/bin/cat', ['/bin'], false],
    ['/bin/cat', [], false],
  ])('%s, with %j allowed: %s', async (Run, allowed, isFine) => {
    const opening = exec.open!({ Run, Args: ['/dev/null'] }, contextFor({ allowExec: allowed }))
    if (isFine) await (await opening).close()
    else await expect(opening).rejects.toThrow(/may not be run/)
  })

  test('what is not there, or no program, is told', async () => {
    const noProgram = fresh()
    writeFileSync(noProgram, '#!/no/such/interpreter\n')
    for (const Run of ['/no/such/program', 'no-such-program', noProgram]) {
      await expect(exec.open!({ Run, Args: [] }, contextFor({ allowExec: [Run] }))).rejects.toThrow(
        /there is no executable/,
      )
    }
    chmodSync(noProgram, 0o755)
    await expect(exec.open!({ Run: noProgram, Args: [] }, contextFor({ allowExec: [noProgram] }))).rejects.toThrow(
      /cannot start/,
    )
  })

  test('there is no shell: arguments are what they are', async () => {
    const source = await exec.open!(
      { Run: 'sh', Args: ['-c', 'printf "%s|" "$@"', 'sh', '$HOME', '`id`', 'a b', '; ls'] },
      contextFor({ allowExec }),
    )
    expect(textOf(joined(await readBytes(source)))).toBe('$HOME|`id`|a b|; ls|')
  })

  test('the environment has no secrets', async () => {
    process.env.PITOT_TOKEN = 'secret'
    try {
      expect(await read('env')).not.toContain('secret')
    } finally {
      delete process.env.PITOT_TOKEN
    }
  })
})

describe('input', () => {
  test('complaints go to the log; the exit code tells whether all was read', async () => {
    const log: string[] = []
    const note = (_level: string, line: string) => void log.push(line)
    expect(await read('echo out; echo one >&2; echo two >&2', { log: note })).toBe('out\n')
    expect(log).toEqual(['sh: one', 'sh: two'])
    await expect(read('echo out; echo trouble >&2; exit 3')).rejects.toThrow(
      'sh ended with exit code 3; its last words: trouble',
    )
    await expect(read('kill -9 $$')).rejects.toThrow('sh ended by signal SIGKILL')
  })

  test('a complaint without an end is cut, and does not fill the memory', async () => {
    const log: string[] = []
    const note = (_level: string, line: string) => void log.push(line)
    expect(await read("head -c 3000000 /dev/zero | tr '\\0' x >&2; echo out", { log: note })).toBe('out\n')
    for (const line of log) expect(line.length).toBeLessThanOrEqual(2010)
    expect(log.length).toBeGreaterThan(10)
  })

  test('what was printed before a failure is read first', async () => {
    const source = await exec.open!(shell('echo good; exit 1'), contextFor({ allowExec }))
    const seen: string[] = []
    await expect(
      (async () => {
        for await (const chunk of source) seen.push(textOf(chunk.frames.bytes))
      })(),
    ).rejects.toThrow(/exit code 1/)
    expect(seen).toEqual(['good\n'])
  })

  test('a program that prints for ever is held up, and ended with everything it has started', async () => {
    const source = await exec.open!(shell('sleep 1000 & echo $$ $!; yes'), contextFor({ allowExec }))
    const first = (await source[Symbol.asyncIterator]().next()).value!
    const pids = textOf(first.frames.bytes).split('\n', 1)[0]!.split(' ').map(Number)
    expect(pids).toHaveLength(2)
    await source.close()
    for (const pid of pids) expect(await isGone(pid)).toBe(true)
  })

  test('a program that does not want to end is ended', async () => {
    const source = await exec.open!(
      shell("trap '' TERM; echo $$; while :; do sleep 0.1; done"),
      contextFor({ allowExec }),
    )
    const first = (await source[Symbol.asyncIterator]().next()).value!
    await source.close()
    expect(await isGone(Number(textOf(first.frames.bytes)))).toBe(true)
  })

  test('closing before anything is read ends the program', async () => {
    const path = fresh()
    const source = await exec.open!(shell('echo $$ > "$1"; exec sleep 1000', path), contextFor({ allowExec }))
    while (!existsSync(path) || readFileSync(path, 'utf8') === '') await sleep(10)
    await source.close()
    expect(await isGone(Number(readFileSync(path, 'utf8')))).toBe(true)
  })
})

describe('output', () => {
  test('closing waits for the program; its exit code counts', async () => {
    const path = fresh()
    const good = await exec.create!(shell('cat > "$1"; sleep 0.2; echo done >> "$1"', path), contextFor({ allowExec }))
    await good.write(framesOf([bytesOf('one\n')]))
    await good.close()
    expect(readFileSync(path, 'utf8')).toBe('one\ndone\n')
    const bad = await exec.create!(shell('cat > /dev/null; echo no room >&2; exit 7'), contextFor({ allowExec }))
    await bad.write(framesOf([bytesOf('one\n')]))
    await expect(bad.close()).rejects.toThrow('sh ended with exit code 7; its last words: no room')
  })

  test('a program that has ended fails the write', async () => {
    const sink = await exec.create!(shell('exit 4'), contextFor({ allowExec }))
    await sleep(100)
    await expect(
      (async () => {
        for (let index = 0; index < 10; index++) await sink.write(framesOf([new Uint8Array(200_000)]))
      })(),
    ).rejects.toThrow(/exit code 4/)
    await sink.close().catch(() => undefined)
  })

  test('a program that does not read holds the writer; the signal ends both', async () => {
    const stop = new AbortController()
    const path = fresh()
    const sink = await exec.create!(
      shell('echo $$ > "$1"; exec sleep 1000', path),
      contextFor({ allowExec, signal: stop.signal }),
    )
    const writing = sink.write(framesOf([new Uint8Array(10_000_000)])).catch((error: Error) => error)
    expect(await Promise.race([writing, sleep(100, 'held')])).toBe('held')
    stop.abort()
    expect(await writing).toBeInstanceOf(Error)
    expect(await isGone(Number(readFileSync(path, 'utf8')))).toBe(true)
  })
})
