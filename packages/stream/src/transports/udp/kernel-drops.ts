// How many datagrams the kernel has thrown away because a socket's buffer was full: Linux says so in /proc/net/udp.
//
//    sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
//   123: 0100007F:1F90 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 12345 2 0000 0
import { readFileSync } from 'node:fs'

/** The figures of all sockets on this port; undefined where there is no such table. */
export function kernelDrops(port: number, family: 'udp4' | 'udp6'): number | undefined {
  try {
    return dropsIn(readFileSync(family === 'udp4' ? '/proc/net/udp' : '/proc/net/udp6', 'utf8'), port)
  } catch {
    return undefined
  }
}

export function dropsIn(table: string, port: number): number | undefined {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  let drops: number | undefined
  for (const line of table.split('\n').slice(1)) {
    const columns = line.trim().split(/\s+/)
    if (columns[1]?.endsWith(ending)) drops = (drops ?? 0) + Number(columns.at(-1))
  }
  return drops
}
