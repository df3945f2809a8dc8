// Starts services: settings come in, running services and what to tell the user of them go out.
import { access, constants, mkdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSecureContext } from 'node:tls'
import type { RunningConnect } from '@pitot/connect'
import type { DatabaseSection } from '@pitot/model-manage'
import {
  askPeer,
  bindingTrouble,
  type Certificate,
  createLog,
  type Logger,
  ownCertificate,
  type RunningService,
  reasonOf,
  type ServiceOptions,
} from '@pitot/service'
import { CommandFailure, fileFailure, listenFailure } from './failures.ts'
import { lockFolder } from './folder-lock.ts'
import type { Settings } from './options.ts'

/** A running service, and what it uses, for the READY table. */
export interface Started {
  readonly service: RunningService
  readonly uses: string
}

/** What all services of one process have in common. */
export interface Ground {
  readonly settings: Settings
  readonly log: Logger
  /** Options of a service but for its port. */
  readonly options: Omit<ServiceOptions, 'port'>
}

/** How long a service waits for Connect before it gives up, so that services may be started in any order. */
const connectPatience = 60_000

export async function prepare(given: Settings): Promise<Ground> {
  // Jets and others that are started in folders of their own find it too.
  const settings = { ...given, data: resolve(given.data) }
  const trouble = bindingTrouble(settings)
  if (trouble !== undefined) throw new CommandFailure(trouble)
  await prepareFolder(settings.data)
  const log = createLog({ level: settings.logLevel, format: settings.logFormat })
  const options = {
    host: settings.host,
    token: settings.token,
    certificate: await certificateOf(settings),
    tlsRequired: settings.tls === 'required',
    allowHosts: settings.allowHost,
    allowOrigins: settings.allowOrigin,
    maxDocument: settings.maxDocument,
    log,
  }
  return { settings, log, options }
}

async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch (error) {
    throw fileFailure(error, 'the data folder', folder, '--data')
  }
}

async function certificateOf(settings: Settings): Promise<Certificate> {
  const { tlsCert, tlsKey, data } = settings
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw new CommandFailure('--tls-cert and --tls-key belong together: give both or neither')
  }
  if (tlsCert === undefined || tlsKey === undefined) return ownCertificate(join(data, 'tls'))
  const read = (path: string, option: string) =>
    readFile(path, 'utf8').catch((error: unknown) => {
      throw fileFailure(error, 'the file', path, option)
    })
  const certificate = { cert: await read(tlsCert, '--tls-cert'), key: await read(tlsKey, '--tls-key') }
  try {
    createSecureContext(certificate)
  } catch (error) {
    const reason = reasonOf(error).replace(/^error:\w+:/, '')
    throw new CommandFailure(`${tlsCert} and ${tlsKey} are no certificate and its key, in PEM form: ${reason}`)
  }
  return certificate
}

/** Gives a service its port, and a failure to listen its sentence. */
async function listening<Service>(
  ground: Ground,
  port: number,
  option: string,
  start: (options: ServiceOptions) => Promise<Service>,
) {
  try {
    return await start({ ...ground.options, port })
  } catch (error) {
    throw listenFailure(error, { host: ground.settings.host, port, option })
  }
}

export async function startConnect(ground: Ground): Promise<Started & { readonly service: RunningConnect }> {
  const { data, config, connectPort } = ground.settings
  const connect = await import('@pitot/connect')
  if (config !== undefined) await checkConfiguration(config, connect.readConfiguration)
  const service = await listening(ground, connectPort, '--connect-port', (options) =>
    connect.startConnect({ ...options, data, configFile: config }),
  )
  return { service, uses: config ?? join(data, 'connect') }
}

async function checkConfiguration(file: string, read: (text: string) => unknown): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw fileFailure(error, 'the configuration', file, '--config')
  })
  try {
    read(text)
  } catch (error) {
    throw new CommandFailure(`the configuration ${file} is not right: ${reasonOf(error)}`)
  }
}

export async function startModelManage(
  ground: Ground,
  database: DatabaseSection | undefined,
  connect: URL | undefined,
): Promise<Started> {
  const { data, modelManagePort } = ground.settings
  const modelManage = await import('@pitot/model-manage')
  const service = await listening(ground, modelManagePort, '--model-manage-port', (options) =>
    modelManage.startModelManage({ ...options, data, database, connect }),
  )
  return { service, uses: service.uses }
}

/** One for each port, with a folder of its own. */
export async function startEngines(ground: Ground, connect: URL | undefined): Promise<Started[]> {
  const engine = await import('@pitot/engine')
  const settings = await engineSettings(ground.settings)
  const started: Started[] = []
  try {
    for (const [index, port] of ground.settings.enginePort.entries()) {
      const data = join(ground.settings.data, `engine-${index + 1}`)
      await prepareFolder(data)
      const unlock = await lockFolder(data)
      const service = await listening(ground, port, '--engine-port', (options) =>
        engine.startEngine({ ...options, ...settings, data, connect }),
      ).catch(async (error: unknown) => {
        await unlock()
        throw error
      })
      const stop = () => service.stop().finally(unlock)
      started.push({ service: { ...service, stop }, uses: connect?.origin ?? '' })
    }
    return started
  } catch (error) {
    for (const { service } of started) await service.stop()
    throw error
  }
}

async function engineSettings(settings: Settings) {
  const { resume, fileRoot, allowExec, stateMemory, python, rscript } = settings
  if (fileRoot !== undefined) await checkFolder(fileRoot, '--file-root')
  return {
    resume,
    fileRoot: fileRoot === undefined ? undefined : resolve(fileRoot),
    allowExec,
    stateMemory,
    jets: {
      memory: settings.jetMemory,
      timeout: settings.jetTimeout,
      network: settings.jetNetwork,
      isolation: settings.jetIsolation,
      python,
      rscript,
    },
  }
}

async function checkFolder(folder: string, option: string): Promise<void> {
  const found = await stat(folder).catch((error: unknown) => {
    throw fileFailure(error, 'the folder', folder, option)
  })
  if (!found.isDirectory()) throw new CommandFailure(`${folder} is no folder; see ${option}`)
}

export async function startGateway(ground: Ground, connect: URL): Promise<Started> {
  const gateway = await import('@pitot/gateway')
  const service = await listening(ground, ground.settings.gatewayPort, '--gateway-port', (options) =>
    gateway.startGateway({ ...options, connect }),
  )
  return { service, uses: connect.origin }
}

/** The `db` section that Connect has; waits for Connect while it is still starting. */
export async function databaseFromConnect(ground: Ground, connect: URL): Promise<DatabaseSection | undefined> {
  const { token } = ground.settings
  const headers = { accept: 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  const url = new URL('/1/config?q=db', connect)
  const deadline = Date.now() + connectPatience
  for (;;) {
    const answer = await askPeer(url, { timeout: 5000, headers }).catch((error: Error) => error)
    if (!(answer instanceof Error)) {
      if (answer.status === 200) return JSON.parse(answer.body.toString()) as DatabaseSection
      if (answer.status === 404) return undefined
      throw new CommandFailure(
        `Connect at ${connect.origin} answers with status ${answer.status}: ${answer.body.toString().slice(0, 200)}`,
        1,
      )
    }
    if (Date.now() > deadline)
      throw new CommandFailure(`Connect at ${connect.origin} does not answer: ${answer.message}`, 1)
    ground.log.info(`waiting for Connect at ${connect.origin}: ${answer.message}`)
    await sleep(1000)
  }
}
