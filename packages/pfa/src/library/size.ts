// How large a library function may make a value: a length comes in, and nothing goes out but an error where it is too much.
//
// Results that grow with the values of arguments, not with their size, would end the process before any time limit.
import { tooLarge } from '../runtime/failures.ts'

const LARGEST = 2 ** 24

export const fitsLength = (length: number): boolean => length <= LARGEST

export function checkLength(length: number): void {
  if (!fitsLength(length)) throw tooLarge()
}
