// What a service tells of itself in its health record.
import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const release = '1.3'

/** When the build wrote this very file. */
const builtOn = statSync(fileURLToPath(import.meta.url)).mtime

export interface HealthRecord {
  readonly id: string
  readonly release: string
  readonly built_on: string
}

export function healthRecord(id: string = randomUUID()): HealthRecord {
  return { id, release, built_on: dateText(builtOn) }
}

/** As `date -u` prints: `Mon Jan 16 00:29:55 UTC 2017`. */
export function dateText(date: Date): string {
  const [weekday, day, month, year, time] = date.toUTCString().replace(',', '').split(' ')
  return `${weekday} ${month} ${day!.replace(/^0/, ' ')} ${time} UTC ${year}`
}
