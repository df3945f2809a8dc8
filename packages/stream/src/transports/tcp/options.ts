// The fields of a TCP transport.
import { type Fields, flag, nullable, port, required, text, whole, withDefault } from '../../field.ts'

export interface TcpOptions {
  /** Where to connect to; where to listen, loopback when it is null. */
  readonly Host: string | null
  readonly Port: number
  readonly Listen: boolean
  /** Milliseconds to go on trying to connect. */
  readonly RetryTime: number
  /** Milliseconds without a byte after which the other side is taken for gone; null for never. */
  readonly IdleTime: number | null
}

export const tcpFields: Fields = {
  Host: nullable(text),
  Port: required(port),
  Listen: withDefault(flag, false),
  RetryTime: withDefault(whole(0, 2 ** 31 - 1), 10_000),
  IdleTime: nullable(whole(1, 2 ** 31 - 1)),
}

export function place({ Host, Port }: Pick<TcpOptions, 'Host' | 'Port'>): string {
  const host = Host ?? '127.0.0.1'
  return `${host.includes(':') ? `[${host}]` : host}:${Port}`
}
