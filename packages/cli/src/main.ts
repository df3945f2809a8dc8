#!/usr/bin/env node
// The `pitot` command: arguments come in, services run until a signal ends them.
import { release } from '@pitot/service'
import { Command, CommanderError } from 'commander'
import { lastWords, wrongConfiguration } from './failures.ts'
import { addOptions, type ServiceCommand, type Settings } from './options.ts'
import { readyText } from './ready.ts'
import {
  databaseFromConnect,
  type Ground,
  prepare,
  type Started,
  startConnect,
  startEngines,
  startGateway,
  startModelManage,
} from './start.ts'
import { up } from './up.ts'

interface Service {
  readonly summary: string
  readonly start: (ground: Ground) => Promise<Started[]>
}

const usualConnect = new URL('http://127.0.0.1:8001')

const services: Readonly<Record<ServiceCommand, Service>> = {
  up: { summary: 'run all services in one process', start: up },
  connect: {
    summary: 'run Connect: configuration and health of the fleet',
    start: async (ground) => [await startConnect(ground)],
  },
  'model-manage': {
    summary: 'run Model Manage: models, attachments, streams, schemas, sensors',
    async start(ground) {
      const { connect } = ground.settings
      const database = connect === undefined ? undefined : await databaseFromConnect(ground, connect)
      return [await startModelManage(ground, database, connect)]
    },
  },
  engine: {
    summary: 'run an engine, or one for each --engine-port',
    start: (ground) => startEngines(ground, ground.settings.connect),
  },
  gateway: {
    summary: 'run the gateway: one port for the whole fleet',
    start: async (ground) => [await startGateway(ground, ground.settings.connect ?? usualConnect)],
  },
}

const program = new Command('pitot')
  .description('Scores streams of records with models.')
  .exitOverride()
  .configureOutput({ writeErr: () => undefined })
  .helpCommand(true)
  .version(`pitot ${release}`, '--version', 'print the release')

program
  .command('version')
  .description('print the release')
  .action(() => console.log(`pitot ${release}`))

for (const [name, service] of Object.entries(services) as [ServiceCommand, Service][]) {
  const command = program.command(name).description(service.summary).allowExcessArguments(false)
  addOptions(command, name).action((settings: Settings) => run(service, settings))
}

async function run(service: Service, settings: Settings): Promise<void> {
  const signal = firstSignal()
  const ground = await prepare(settings)
  const started = await Promise.race([service.start(ground), signal])
  // Before it is ready there is nothing under way that would have to finish.
  if (typeof started === 'string') process.exit(0)
  console.log(readyText(started, settings))
  ground.log.info(`${await signal}: stopping`)
  for (const { service: running } of started.toReversed()) await running.stop()
}

function firstSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve(name))
  })
}

try {
  await program.parseAsync()
  process.exitCode = 0
} catch (error) {
  if (error instanceof CommanderError) {
    // Help is no failure, whether it is asked for or shown to those who named no command.
    if (error.code === 'commander.help' && error.exitCode !== 0) program.outputHelp()
    else if (error.exitCode !== 0) {
      console.error(`pitot: ${error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')}`)
      process.exitCode = wrongConfiguration
    }
  } else {
    const { sentence, exitCode } = lastWords(error)
    console.error(`pitot: ${sentence}`)
    process.exitCode = exitCode
  }
}
