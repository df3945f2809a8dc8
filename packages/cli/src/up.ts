// `pitot up`: all services in one process.
import type { DatabaseSection } from '@pitot/model-manage'
import { type Ground, type Started, startConnect, startEngines, startGateway, startModelManage } from './start.ts'

/** The services in the order they start; they stop in the reverse order. */
export async function up(ground: Ground): Promise<Started[]> {
  const started: Started[] = []
  try {
    const connect = await startConnect(ground)
    started.push(connect)
    const address = new URL(connect.service.url)
    const database = connect.service.connect.configuration?.sections.db as DatabaseSection | undefined
    const modelManage = await startModelManage(ground, database, address)
    started.push(modelManage)
    const engines = await startEngines(ground, address)
    started.push(...engines)
    connect.service.connect.setStandard(ownFleet(modelManage, engines))
    started.push(await startGateway(ground, address))
    return started
  } catch (error) {
    // All at once: nobody is to notice, and complain, that another is gone already.
    await Promise.all(started.map(({ service }) => service.stop()))
    throw error
  }
}

/** The fleet as it stands until somebody configures another one. */
function ownFleet(modelManage: Started, engines: readonly Started[]): string {
  const entry = (api: string, { service }: Started) => {
    const { hostname, port } = new URL(service.url)
    return `    - { api: ${api}, host: '${hostname.replace(/^\[|\]$/g, '')}', port: ${port} }`
  }
  const entries = [entry('model-manage', modelManage), ...engines.map((engine) => entry('engine', engine))]
  return `pitot:\n  fleet:\n${entries.join('\n')}\n`
}
