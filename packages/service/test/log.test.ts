import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createLog, logLevels } from '../src/log.ts'

const source = fileURLToPath(new URL('../src/log.ts', import.meta.url))

/** Runs a script in a process of its own, because the log writes to its standard error. */
function run(script: string): Promise<{ out: string; err: string; code: number | null }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `import { createLog } from ${JSON.stringify(source)};${script}`,
    ])
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (err += chunk))
    child.on('close', (code) => resolve({ out, err, code }))
  })
}

describe('createLog', () => {
  test('writes JSON lines to standard error, without secrets, from its level on', async () => {
    const { out, err, code } = await run(`
      const log = createLog({ level: 'info', format: 'json' })
      log.debug('too fine')
      log.info({ token: 'SECRET', nested: { password: 'SECRET' }, port: 1 }, 'started')
      log.child({ service: 'x' }).error({ err: new Error('boom') }, 'broken')
      process.exit(3)`)
    expect(code).toBe(3)
    expect(out).toBe('')
    const lines = err
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toHaveLength(2)
    expect(lines[0]).toEqual({
      level: 30,
      time: expect.any(Number),
      token: '[Redacted]',
      nested: { password: '[Redacted]' },
      port: 1,
      msg: 'started',
    })
    expect(lines[1]).toMatchObject({ level: 50, service: 'x', msg: 'broken', err: { type: 'Error', message: 'boom' } })
    expect(err).not.toContain('SECRET')
  })

  test('writes for people to standard error, one line each, even when the process ends at once', async () => {
    const { out, err, code } = await run(`
      const log = createLog({ level: 'debug', format: 'pretty' })
      log.debug({ port: 8001, token: 'SECRET' }, 'listening')
      log.trace('too fine')
      process.exit(0)`)
    expect(code).toBe(0)
    expect(out).toBe('')
    const lines = err.trim().split('\n')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] DEBUG: listening \{"port":8001,"token":"\[Redacted\]"\}$/)
  })

  test.each(logLevels)('can be set to %s', (level) => {
    expect(createLog({ level, format: 'json' }).level).toBe(level)
  })

  test('says nothing when silent', async () => {
    const { out, err } = await run(`createLog({ level: 'silent', format: 'json' }).fatal('end')`)
    expect(out + err).toBe('')
  })
})
