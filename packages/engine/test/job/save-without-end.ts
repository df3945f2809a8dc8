// A program that saves one job after the other into the folder it is given, until it is killed.
import { writeSync } from 'node:fs'
import { SavedJobFolder } from '../../src/job/saved-job.ts'

const saved = new SavedJobFolder(process.argv[2]!, () => undefined)
await saved.read()
for (let number = 1; ; number++) {
  await saved.setScale(number)
  await saved.setStream(0, { name: String(number), descriptor: {} })
  await saved.setModel({
    name: String(number),
    language: 'python3',
    contentType: '',
    source: Buffer.from(`source ${number}`),
    attachments: [],
    schemas: new Map(),
    dispose: async () => undefined,
  })
  saved.setPosition(0, { position: { offset: number }, records: number })
  if (number === 1) writeSync(1, 'begun\n')
}
