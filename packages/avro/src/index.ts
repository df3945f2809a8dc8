export type * from './type.ts'
