// Models that misbehave: each is stopped by what the runner permits, or ends its own jet and nothing else.
import type { JetDeath } from '@pitot/jet'
import { expect, test } from 'vitest'
import { jetWith, outputs, score } from './jets.ts'

const deadly: Record<string, [string, string[]]> = {
  'ends the process': ['export const action = (x) => process.exit(x)', ['exit']],
  'ends it from a timer': [
    'export const action = (x) => new Promise(() => setTimeout(() => process.exit(3), 5))',
    ['exit'],
  ],
  'kills itself': ["export const action = () => process.kill(process.pid, 'SIGKILL')", ['signal']],
  'never ends': ['export const action = () => { for (;;); }', ['hang']],
  'waits for what never comes': ['export const action = () => new Promise(() => {})', ['exit', 'hang']],
  'allocates without end': [
    'const kept = []\nexport const action = () => { for (;;) kept.push(new Array(100000).fill(kept.length)) }',
    ['memory', 'signal', 'exit'],
  ],
  'writes garbage to the host': [
    "import { writeSync } from 'node:fs'\nexport const action = () => { writeSync(4, 'garbage garbage garbage'); return 1 }",
    ['garbage'],
  ],
  'reads what the host sends': [
    "import { readSync } from 'node:fs'\nexport const action = () => { readSync(3, Buffer.alloc(100)) }",
    ['exit', 'hang', 'garbage'],
  ],
  'fails where nobody catches it': [
    "export const action = () => new Promise(() => setTimeout(() => { throw new Error('lost') }, 1))",
    ['exit'],
  ],
}

test.each(Object.entries(deadly))('a model that %s ends its jet', async (_name, [source, causes]) => {
  const { jet } = await jetWith({ language: 'javascript', source, memory: 200 * 2 ** 20, timeout: 1 })
  await jet.begin()
  const death = await score(jet, '1').then(
    () => undefined,
    (error: JetDeath) => error,
  )
  expect(causes).toContain(death?.kind)
  expect((await jet.gone)?.kind).toBe(death!.kind)
})

test('a model that ends the process while it has nothing to do ends its jet at once', async () => {
  const { jet } = await jetWith({
    language: 'javascript',
    source: 'export const begin = () => void setTimeout(() => process.exit(3), 200)\nexport const action = (x) => x',
  })
  await jet.begin()
  expect((await jet.gone)?.kind).toBe('signal')
})

const forbidden: Record<string, string> = {
  'read the files of others': "readFileSync('/etc/passwd', 'utf8')",
  'read the source of the platform beyond what it runs on': `readFileSync('${import.meta.filename}')`,
  'list folders of others': "readdirSync('/')",
  'write outside its folder': "writeFileSync('/tmp/pitot-was-here', 'x')",
  'start a process': "execSync('true')",
  'start a thread': "new Worker('1', { eval: true })",
}

test.each(Object.entries(forbidden))('a model cannot %s', async (_name, expression) => {
  const { jet } = await jetWith({
    language: 'javascript',
    source: `import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
      import { execSync } from 'node:child_process'
      import { Worker } from 'node:worker_threads'
      export const action = () => { ${expression}; return 'done' }`,
  })
  const emissions = await score(jet, '1')
  expect(outputs(emissions)).toEqual([])
  expect(emissions.rejects).toMatchObject([{ step: 'model', reason: expect.stringMatching(/restricted|permission/i) }])
})

const connect = `import { connect } from 'node:net'
  export const action = (port) => new Promise((resolve, reject) => {
    connect(port, '127.0.0.1').on('connect', () => resolve('connected')).on('error', reject)
  })`

test('a model cannot use the network, unless that is allowed', async () => {
  const { createServer } = await import('node:net')
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  try {
    await new Promise((resolve) => server.once('listening', resolve))
    const port = String((server.address() as { port: number }).port)
    const closed = await jetWith({ language: 'javascript', source: connect })
    expect((await score(closed.jet, port)).rejects).toMatchObject([
      { step: 'model', reason: expect.stringMatching(/restricted|denied/i) },
    ])
    const open = await jetWith({ language: 'javascript', source: connect, network: true })
    expect(outputs(await score(open.jet, port))).toEqual(['"connected"'])
  } finally {
    server.close()
  }
})

test('a model that spoils the globals harms itself alone', async () => {
  const failure = await jetWith({
    language: 'javascript',
    source: 'delete globalThis.emit\nJSON.parse = () => { throw 1 }\nexport const action = (x) => x',
  }).catch((error: Error) => error)
  if (failure instanceof Error) expect(['ModelFailure', 'JetDeath']).toContain(failure.name)
  else expect((await score(failure.jet, '1')).outputs.length).toBeLessThanOrEqual(1)
})

test('progress keeps a slow batch alive', async () => {
  const { jet } = await jetWith({
    language: 'javascript',
    source: `const wait = new Int32Array(new SharedArrayBuffer(4))
      export const action = (x) => { Atomics.wait(wait, 0, 0, 150); return x }`,
    timeout: 1,
  })
  expect(outputs(await score(jet, ...'1234567890'.split('')))).toHaveLength(10)
})
