// UDP: one datagram is one message.
import type { Transport } from '../transport.ts'
import { readUdp } from './udp/input.ts'
import { type UdpOptions, udpFields } from './udp/options.ts'
import { writeUdp } from './udp/output.ts'

export const udp: Transport<UdpOptions> = {
  type: 'UDP',
  fields: udpFields,
  preservesBoundaries: () => true,
  seekable: false,
  check: ({ Host }, direction) =>
    direction === 'output' && Host === null ? ["the field 'Host' is missing; it must name the receiver"] : [],
  open: readUdp,
  create: writeUdp,
}
