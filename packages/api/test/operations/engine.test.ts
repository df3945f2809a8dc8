import { expect, test } from 'vitest'
import { engineOperations } from '../../src/operations/engine.ts'

/** What published clients expect. */
const statuses: [id: keyof typeof engineOperations, statuses: number[]][] = [
  ['putInputStream', [200, 204]],
  ['putOutputStream', [200, 204]],
  ['putSlotStream', [200, 204]],
  ['putJobModel', [200, 204]],
  ['deleteJobModel', [204]],
  ['deleteJob', [204]],
  ['scaleJob', [204]],
  ['getJobStatus', [200]],
  ['resetStatistics', [204]],
  ['postInput', [204]],
  ['postSlotInput', [204]],
  ['getOutput', [200, 204]],
  ['getSlotOutput', [200, 202, 204]],
  ['headOutput', [200]],
  ['headSlotOutput', [200]],
  ['scoreRecords', [200]],
  ['roundTrip', [200]],
  ['tryModel', [200]],
  ['getRejected', [200]],
  ['putState', [204]],
  ['putModelState', [204]],
  ['sampleCpu', [200]],
  ['sampleStream', [200]],
  ['rateStream', [200]],
  ['profileStream', [200]],
  ['getDebugOutput', [200]],
]
test.each(statuses)('%s answers with %j', (id, expected) => {
  expect(Object.keys(engineOperations[id].replies).map(Number)).toEqual(expected)
})

test('the number of instances may be in the body instead, and cannot be negative', () => {
  const { n } = engineOperations.scaleJob.query
  expect(n.required).toBeUndefined()
  expect(engineOperations.scaleJob.body.required).toBe(false)
  expect(n.read('0')).toBe(0)
  expect(n.read('1024')).toBe(1024)
  for (const bad of ['-1', '1025', '1.5', '']) expect(n.read(bad)).toBeUndefined()
})

test('status may be asked for without sections, because clients do, and for the four of the interface', () => {
  const sections = engineOperations.getJobStatus.query.return
  expect(sections.required).toBeUndefined()
  expect(sections.read('input,output,model,jets')).toEqual(['input', 'output', 'model', 'jets'])
  expect(sections.read('input,everything')).toBeUndefined()
})

test('durations and counts are whole numbers from 1', () => {
  const { duration } = engineOperations.sampleCpu.query
  const { n } = engineOperations.sampleStream.query
  for (const parameter of [duration, n]) {
    expect(parameter.read('1')).toBe(1)
    for (const bad of ['0', '-1', '0.5', 'x']) expect(parameter.read(bad)).toBeUndefined()
  }
})

test('a model may come alone or with attachments in both kinds of multipart', () => {
  expect(engineOperations.putJobModel.body.types).toEqual(
    expect.arrayContaining(['multipart/form-data', 'multipart/mixed', 'application/vnd.pitot.model-pfa+json']),
  )
})
