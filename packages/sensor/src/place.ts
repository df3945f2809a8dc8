// What a place where readings are made needs of this package, a jet for example. Nothing that reads descriptors, which would be
// code to load for nothing.
export { fieldReader } from './fields.ts'
export { type SensorProgram, SensorRun } from './program.ts'
export type { Reading } from './reading.ts'
