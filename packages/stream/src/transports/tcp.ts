// TCP: bytes from or to a connection that we make; with Listen, that others make.
import type { Transport } from '../transport.ts'
import { readFromClients, readFromServer } from './tcp/input.ts'
import { type TcpOptions, tcpFields } from './tcp/options.ts'
import { writeToClients, writeToServer } from './tcp/output.ts'

export const tcp: Transport<TcpOptions> = {
  type: 'TCP',
  fields: tcpFields,
  preservesBoundaries: () => false,
  seekable: false,
  check: ({ Host, Listen }) =>
    Host === null && !Listen ? ["the field 'Host' is missing; it must name the host to connect to"] : [],
  open: (options, context) => (options.Listen ? readFromClients : readFromServer)(options, context),
  create: (options, context) => (options.Listen ? writeToClients : writeToServer)(options, context),
}
