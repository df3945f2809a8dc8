// The transports there are: to add one is a file, its test, and a line here.
import type { Transport } from './transport.ts'
import { console } from './transports/console.ts'
import { debug } from './transports/debug.ts'
import { discard } from './transports/discard.ts'
import { exec } from './transports/exec.ts'
import { file } from './transports/file.ts'
import { http } from './transports/http.ts'
import { kafka } from './transports/kafka.ts'
import { rest } from './transports/rest.ts'
import { tcp } from './transports/tcp.ts'
import { udp } from './transports/udp.ts'

export const transports: readonly Transport[] = [rest, http, kafka, file, tcp, udp, exec, debug, console, discard]
