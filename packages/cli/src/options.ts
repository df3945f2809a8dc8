// The options that mean the same in every command: flags and environment variables come in, checked settings go out.
import { logFormats, logLevels } from '@pitot/service'
import { type Command, InvalidArgumentError, Option } from 'commander'

/** What the options of a command come to. Not every command has every option. */
export interface Settings {
  readonly data: string
  readonly host: string
  readonly gatewayPort: number
  readonly connectPort: number
  readonly modelManagePort: number
  readonly enginePort: readonly number[]
  readonly connect?: URL
  readonly config?: string
  readonly resume: boolean
  readonly fileRoot?: string
  readonly allowExec: readonly string[]
  readonly jetMemory: number
  readonly jetTimeout: number
  readonly jetNetwork: boolean
  readonly jetIsolation: 'auto' | 'none'
  readonly stateMemory: number
  readonly python?: string
  readonly rscript?: string
  readonly token?: string
  readonly insecure: boolean
  readonly tls: 'optional' | 'required'
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly allowHost: readonly string[]
  readonly allowOrigin: readonly string[]
  readonly maxDocument: number
  readonly logLevel: (typeof logLevels)[number]
  readonly logFormat: (typeof logFormats)[number]
}

const ports = {
  gateway: new Option('--gateway-port <port>', 'port of the gateway').default(8000).argParser(port),
  connect: new Option('--connect-port <port>', 'port of Connect').default(8001).argParser(port),
  modelManage: new Option('--model-manage-port <port>', 'port of Model Manage').default(8002).argParser(port),
  engine: new Option('--engine-port <port>', 'port of an engine; repeat it for several engines')
    .default([8003], '8003')
    .argParser(each(port)),
}

const shared = [
  new Option('--data <folder>', 'folder for everything that is kept').default('./pitot-data'),
  new Option('--host <address>', 'address to listen on').default('127.0.0.1'),
  new Option('--token <token>', 'token that every call must carry').argParser(token),
  new Option('--insecure [yes|no]', 'listen on other addresses than loopback without a token')
    .preset('yes')
    .default(false)
    .argParser(yesOrNo),
  new Option('--tls <mode>', 'whether plain HTTP is answered too')
    .choices(['optional', 'required'])
    .default('optional'),
  new Option('--tls-cert <file>', 'certificate to use instead of an own one'),
  new Option('--tls-key <file>', 'private key of that certificate'),
  new Option('--allow-host <name>', 'host name to answer to; may be repeated').default([]).argParser(each(String)),
  new Option('--allow-origin <origin>', 'origin whose pages may call; may be repeated')
    .default([])
    .argParser(each(String)),
  new Option('--max-document <bytes>', 'size limit of documents, such as 64M')
    .default(64 * 2 ** 20, '64M')
    .argParser(bytes),
  new Option('--log-level <level>', 'what to log').choices(logLevels).default('info'),
  new Option('--log-format <format>', 'how to log').choices(logFormats).default('pretty'),
]

const engine = [
  new Option('--resume [yes|no]', 'take up the job that was there at the last stop')
    .preset('yes')
    .default(false)
    .argParser(yesOrNo),
  new Option('--file-root <folder>', 'folder that file streams stay below'),
  new Option('--allow-exec <path>', 'executable that exec streams may start; may be repeated')
    .default([])
    .argParser(each(String)),
  new Option('--jet-memory <bytes>', 'memory that one jet may use, such as 512M')
    .default(2 * 2 ** 30, '2G')
    .argParser(bytes),
  new Option('--jet-timeout <seconds>', 'time that one record may take').default(30).argParser(seconds),
  new Option('--jet-network [yes|no]', 'let models use the network').preset('yes').default(false).argParser(yesOrNo),
  new Option('--jet-isolation <mode>', 'whether jets are shut off with bubblewrap where it works')
    .choices(['auto', 'none'])
    .default('auto'),
  new Option('--state-memory <bytes>', 'memory for the cells and pools that jets share, such as 64M')
    .default(256 * 2 ** 20, '256M')
    .argParser(bytes),
  new Option('--python <path>', 'Python to run models with, instead of the one on the path'),
  new Option('--rscript <path>', 'Rscript to run models with, instead of the one on the path'),
]

const connect = new Option('--connect <url>', 'address of Connect').argParser(address)
const config = new Option('--config <file>', 'fleet configuration to start with')

/** Which options each command has besides the shared ones. */
const more = {
  up: [ports.gateway, ports.connect, ports.modelManage, ports.engine, config, ...engine],
  connect: [ports.connect, config],
  'model-manage': [ports.modelManage, connect],
  engine: [ports.engine, connect, ...engine],
  gateway: [ports.gateway, connect],
} as const

export type ServiceCommand = keyof typeof more

export function addOptions(command: Command, name: ServiceCommand): Command {
  for (const option of [...more[name], ...shared]) command.addOption(option.env(environmentName(option)))
  return command
}

/** `--model-manage-port` -> `PITOT_MODEL_MANAGE_PORT` */
function environmentName(option: Option): string {
  const name = `PITOT_${option.long!.slice(2).replaceAll('-', '_').toUpperCase()}`
  const older = olderNames[name]
  return older !== undefined && process.env[name] === undefined && process.env[older] !== undefined ? older : name
}

/** Names that containers of other platforms with this interface are given. */
const olderNames: Readonly<Record<string, string>> = { PITOT_CONNECT: 'CONNECT_PREFIX' }

function port(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (value >= 0 && value <= 65535) return value
  throw new InvalidArgumentError('A port is a whole number from 0 to 65535; 0 means any free one.')
}

/** Repeatable on the command line, comma-separated in the environment; the first one given replaces the default. */
function each<Value>(read: (text: string) => Value) {
  const given = new WeakSet<readonly Value[]>()
  return (text: string, before: readonly Value[]): readonly Value[] => {
    const values = text.split(',').map((part) => read(part.trim()))
    const all = given.has(before) ? [...before, ...values] : values
    given.add(all)
    return all
  }
}

/** What can stand in an Authorization header, or nobody could ever call. */
function token(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new InvalidArgumentError('A token is made of letters, digits and signs of ASCII, without spaces.')
}

/** As a variable of the environment it has a value, and `no` must not mean yes. */
function yesOrNo(text: string): boolean {
  if (['yes', 'true', '1'].includes(text.toLowerCase())) return true
  if (['no', 'false', '0', ''].includes(text.toLowerCase())) return false
  throw new InvalidArgumentError("It is 'yes' or 'no'.")
}

const units: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 }

function bytes(text: string): number {
  const [, number, unit] = /^(\d{1,12})([KMG]?)$/i.exec(text) ?? []
  if (number === undefined)
    throw new InvalidArgumentError('A size is a whole number, with K, M or G behind it if you like.')
  return Number(number) * units[unit!.toUpperCase()]!
}

const longestTime = 24 * 3600

function seconds(text: string): number {
  const value = /^\d{1,5}(\.\d{1,3})?$/.test(text) ? Number(text) : 0
  if (value > 0 && value <= longestTime) return value
  throw new InvalidArgumentError(`A time is a number of seconds above 0, at most ${longestTime}.`)
}

function address(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new InvalidArgumentError('The address must be a URL such as http://127.0.0.1:8001.')
}
