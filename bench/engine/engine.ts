// An engine as a process of its own, for benchmarks: started, given a job over HTTP, asked how far it is.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPitot } from '../../test/pitot-process.ts'

export interface BenchEngine {
  readonly url: string
  readonly pid: number
  put(path: string, type: string, body: string): Promise<void>
  post(path: string, body?: string): Promise<string>
  get(path: string): Promise<string>
  delete(path: string): Promise<void>
  /** Bytes. */
  residentMemory(): number
  outputRecords(): Promise<number>
  reset(): Promise<void>
  stop(): Promise<void>
}

export async function startEngine(data: string): Promise<BenchEngine> {
  const args = ['engine', '--data', join(data, 'engine'), '--engine-port', '0', '--log-level', 'error']
  const pitot = await startPitot(args)
  const url = pitot.urls.engine!
  async function call(method: string, path: string, body?: string, type?: string): Promise<string> {
    const reply = await fetch(new URL(path, url), {
      method,
      ...(body !== undefined && { body }),
      ...(type !== undefined && { headers: { 'content-type': type } }),
    })
    const text = await reply.text()
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return text
  }
  return {
    url,
    pid: pitot.pid,
    async put(path, type, body) {
      await call('PUT', path, body, type)
    },
    post: (path, body) => call('POST', path, body, body === undefined ? undefined : 'application/json'),
    get: (path) => call('GET', path),
    async delete(path) {
      await call('DELETE', path)
    },
    residentMemory: () => pitot.residentMemory(),
    async outputRecords() {
      const status = JSON.parse(await call('GET', '/1/job/status?return=output')) as {
        output: { total_records: number }
      }
      return status.output.total_records
    },
    async reset() {
      await call('DELETE', '/1/job')
    },
    async stop() {
      await pitot.end()
    },
  }
}

export interface FileJob {
  readonly modelType: string
  readonly model: string
  readonly input: string
  readonly output: string
  readonly jets: number
}

/** Sets a job from a looping file to a file. */
export async function startFileJob(engine: BenchEngine, job: FileJob): Promise<void> {
  const stream = (path: string) =>
    JSON.stringify({ Transport: { Type: 'file', Path: path }, Envelope: 'delimited', Encoding: 'json' })
  await engine.post(`/1/job/scale?n=${job.jets}`)
  await engine.put('/1/job/stream/out', 'application/json', stream(job.output))
  await engine.put('/1/job/stream/in', 'application/json', stream(job.input))
  await engine.put('/1/job/model', `application/vnd.pitot.model-${job.modelType}`, job.model)
}

export function text(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}
