// Stops a jet, gives its number to a process that has nothing to do with it, and asks the jet to end again: prints whether the
// process has survived. Chooses numbers of processes, so it is to be run in a namespace of its own.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type JetOptions, startJet } from '../../src/index.ts'

const options = JSON.parse(process.argv[2]!) as JetOptions
const jet = await startJet({
  ...options,
  state: { ask: async () => ({}), forget: () => undefined },
  console: () => undefined,
  log: () => undefined,
})
await jet.stop()
writeFileSync('/proc/sys/kernel/ns_last_pid', String(jet.pid - 1))
// First of a group, as jets are.
const successor = spawn('sleep', ['1000'], { stdio: 'ignore', detached: true })
await jet.kill()
await jet.stop()
await sleep(200)
const isAlive = successor.exitCode === null && successor.signalCode === null
process.stdout.write(JSON.stringify({ isSuccessor: successor.pid === jet.pid, isAlive, memory: jet.usage().memory }))
successor.kill('SIGKILL')
