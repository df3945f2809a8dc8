// A runner without a model, in form `wire`: what a frame says is done, good or bad. `echo` and everything unknown is emitted as it is.
import { spawn } from 'node:child_process'
import { closeSync, readFileSync, readSync, writeSync } from 'node:fs'
import { createConnection } from 'node:net'

const IN = 3
const OUT = 4
const [, , startsHow] = process.argv

const write = (bytes) => {
  for (let at = 0; at < bytes.length; ) at += writeWaiting(bytes, at)
}
// The channel may be without blocking.
function writeWaiting(bytes, at) {
  try {
    return writeSync(OUT, bytes, at)
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error
    pause(1)
    return 0
  }
}
const pause = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

function message(kind, body) {
  const bytes = Buffer.alloc(5 + body.length)
  bytes.writeUInt32LE(1 + body.length, 0)
  bytes[4] = kind
  bytes.set(body, 5)
  return bytes
}
const json = (value) => Buffer.from(JSON.stringify(value))

function scored(batch, emissions, rejects = []) {
  const count = emissions.length
  const front = 56 + 14 * count + 2 * (count % 2)
  const head = Buffer.alloc(front)
  const tail = rejects.length > 0 ? json(rejects) : Buffer.alloc(0)
  head.writeUInt32LE(batch, 0)
  head.writeUInt32LE(count, 4)
  head.writeUInt32LE(count, 8)
  head.writeUInt32LE(tail.length, 12)
  let at = 0
  for (const [place, { index, bytes, slot = 1 }] of emissions.entries()) {
    head.writeUInt32LE(index, 56 + 4 * place)
    head.writeUInt32LE(at, 56 + 4 * count + 8 * place)
    at += bytes.length
    head.writeUInt32LE(at, 56 + 4 * count + 8 * place + 4)
    head.writeUInt16LE(slot, 56 + 12 * count + 2 * place)
  }
  return message(5, Buffer.concat([head, ...emissions.map(({ bytes }) => bytes), tail]))
}

const read = (length) => {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; ) {
    let count
    try {
      count = readSync(IN, bytes, at, length - at)
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
      pause(1)
      continue
    }
    if (count === 0) process.exit(0)
    at += count
  }
  return bytes
}
const receive = () => {
  const body = read(read(4).readUInt32LE())
  return { kind: body[0], body: body.subarray(1) }
}
/** Messages that came before an answer. */
const waiting = []
const ask = (question) => {
  write(message(7, json(question)))
  for (;;) {
    const answer = receive()
    if (answer.kind === 6) return JSON.parse(answer.body)
    waiting.push(answer)
  }
}

const keep = []
/** What a frame may ask for: gives the text to emit. */
const deeds = {
  exit: (status) => process.exit(Number(status)),
  signal: (name) => {
    process.kill(process.pid, name)
    pause(10_000)
  },
  complain: (text) => {
    console.error(text)
    process.exit(9)
  },
  abort: (text) => {
    console.error(text)
    deeds.signal('SIGABRT')
  },
  hang: () => {
    for (;;) pause(1000)
  },
  sleep: (milliseconds) => {
    pause(Number(milliseconds))
    return 'slept'
  },
  allocate: () => {
    for (;;) {
      keep.push(Buffer.alloc(2 ** 24, keep.length + 1))
      pause(2)
    }
  },
  garbage: () => {
    write(Buffer.from('this is not a message at all, it is a model that writes to descriptor 4'))
    return 'never'
  },
  long: () => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(0xfffffff0)
    write(bytes)
    return 'never'
  },
  half: () => {
    write(Buffer.from([100, 0, 0, 0, 5, 1, 2]))
    process.exit(0)
  },
  mute: () => {
    closeSync(OUT)
    for (;;) pause(1000)
  },
  unasked: () => {
    write(message(4, Buffer.alloc(0)))
    return 'never'
  },
  strange: () => {
    write(scored(0, [{ index: 77, bytes: Buffer.from('x') }]))
    return 'never'
  },
  print: (text) => {
    process.stdout.write(`${text}\n`)
    return 'printed'
  },
  chatter: (milliseconds) => {
    const line = Buffer.from(`${'the same old story '.repeat(40)}\n`)
    const until = Date.now() + Number(milliseconds)
    while (Date.now() < until) writeSync(1, line)
    return 'told'
  },
  // Handed on to init in a session of its own, with all pipes still open.
  daemon: (seconds) => {
    const child = spawn('/bin/sh', ['-c', `setsid sleep ${seconds} & exit`], { stdio: 'inherit', detached: true })
    child.unref()
    pause(300)
    return 'started'
  },
  // With nothing left of the environment, but still a child.
  bare: (seconds) => {
    spawn('/bin/sh', ['-c', `exec sleep ${seconds}`], { stdio: 'ignore', detached: true, env: {} }).unref()
    return 'started'
  },
  environment: () => JSON.stringify(process.env),
  folder: () => process.cwd(),
  read: (path) => attempt(() => String(readFileSync(path, 'utf8').length)),
  write: (path) => attempt(() => spawnSync(`echo x > ${path}`)),
  run: (script) => attempt(() => spawnSync(script)),
  connect: (port) => connect(Number(port)),
  pester: () => {
    for (;;) ask({ do: 'set', cell: 'x', value: 1 })
  },
  ask: (question) => JSON.stringify(ask(JSON.parse(question))),
}
const attempt = (act) => {
  try {
    return act()
  } catch (error) {
    return `refused: ${error.code ?? error.message}`
  }
}

import { spawnSync as spawnAndWait } from 'node:child_process'

const spawnSync = (script) => {
  const { stdout, stderr, status } = spawnAndWait('/bin/sh', ['-c', script], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : `refused: ${stderr.trim()}`
}
const connect = (port) =>
  new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' })
    socket.on('connect', () => resolve('connected'))
    socket.on('error', (error) => resolve(`refused: ${error.code}`))
  })

async function score(body) {
  const batch = body.readUInt32LE(0)
  const count = body.readUInt32LE(8)
  const from = 24 + 8 * count + body.readUInt32LE(12)
  const emissions = []
  const rejects = []
  let told = Date.now()
  for (let index = 0; index < count; index++) {
    const start = from + body.readUInt32LE(24 + 8 * index)
    const bytes = body.subarray(start, from + body.readUInt32LE(28 + 8 * index))
    const [, word, rest] = /^(\w+) ?(.*)$/s.exec(bytes.toString()) ?? []
    if (word === 'reject') rejects.push({ index, step: 'model', reason: rest, trace: 'line 1' })
    else if (Object.hasOwn(deeds, word)) emissions.push({ index, bytes: Buffer.from(String(await deeds[word](rest))) })
    else if (bytes.length > 0) emissions.push({ index, bytes })
    if (Date.now() - told > 100 && word !== 'silent') {
      const progress = Buffer.alloc(8)
      progress.writeUInt32LE(batch, 0)
      progress.writeUInt32LE(index + 1, 4)
      write(message(6, progress))
      told = Date.now()
    }
  }
  write(scored(batch, emissions, rejects))
}

const starts = {
  silent: () => {
    for (;;) pause(1000)
  },
  broken: () => {
    console.error('cannot find my library')
    process.exit(1)
  },
  foreign: () => write(message(1, json({ protocol: 9, runner: 'test', version: '1', pid: process.pid, form: 'wire' }))),
  json: () => hello('json'),
  stubborn: () => {
    process.on('SIGTERM', () => undefined)
    hello()
  },
}
const hello = (form = 'wire') =>
  write(message(1, json({ protocol: 1, runner: 'test', version: '1', pid: process.pid, form })))
;(starts[startsHow] ?? hello)()

for (;;) {
  const { kind, body } = waiting.shift() ?? receive()
  if (kind === 1) {
    const load = JSON.parse(body)
    if (load.name === 'bad') write(message(3, json({ sentence: 'there is no action', trace: 'line 7' })))
    else if (load.name === 'hang') deeds.hang()
    else write(message(2, json({ slots: load.slots, snapshots: 'none', warnings: ['a warning'] })))
  } else if (kind === 2) {
    const { stream } = JSON.parse(body)
    if (stream?.encoding === 'bad') write(message(3, json({ sentence: 'cannot take bad' })))
    else write(message(4, Buffer.alloc(0)))
  } else if (kind === 3) {
    write(scored(body.readUInt32LE(0), [{ index: 0xffffffff, bytes: Buffer.from('begun') }]))
  } else if (kind === 4) {
    await score(body)
  } else if (kind === 5) {
    write(scored(body.readUInt32LE(0), [], [{ index: 0xffffffff, step: 'model', reason: 'no end' }]))
  } else if (kind === 7) {
    write(message(8, json({ cells: { own: 1 }, pools: {} })))
  } else if (kind === 8) {
    if (startsHow === 'stubborn') deeds.hang()
    process.exit(0)
  } else process.exit(70)
}
