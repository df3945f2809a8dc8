export { Branch } from './branch.ts'
export type * from './type.ts'
