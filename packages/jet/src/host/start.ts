// Starts jets: options come in, a jet that has said hello goes out.
import { type Jet, JetDeath } from '../jet.ts'
import { launchOf } from './isolation.ts'
import type { JetOptions } from './options.ts'
import { JetProcess } from './process.ts'
import { RunningJet } from './running-jet.ts'

/** Rejects with a JetDeath of kind `start` when there will be no jet. */
export async function startJet(options: JetOptions): Promise<Jet> {
  const launch = await launchOf(options)
  const process = await JetProcess.start(options, launch).catch((error: Error) => {
    throw new JetDeath('start', `jet ${options.sandbox} (${options.runner.name}) cannot be started: ${error.message}`)
  })
  const jet = new RunningJet(options, process, launch.isolation)
  await jet.greeting()
  return jet
}
