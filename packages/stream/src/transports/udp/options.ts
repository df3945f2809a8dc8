// The fields of a UDP transport.
import { type Fields, nullable, port, required, text, whole, withDefault } from '../../field.ts'

export interface UdpOptions {
  /** Input: the address to listen on. */
  readonly BindTo: string
  /** Output: the receiver. */
  readonly Host: string | null
  readonly Port: number
  /** Bytes that the kernel is asked to keep while nobody reads; it may grant less. */
  readonly ReceiveBuffer: number
}

export const udpFields: Fields = {
  BindTo: withDefault(text, '0.0.0.0'),
  Host: nullable(text),
  Port: required(port),
  ReceiveBuffer: withDefault(whole(4096, 2 ** 30), 8 * 2 ** 20),
}
