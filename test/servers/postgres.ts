// PostgreSQL for tests.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { Client } from 'pg'
import {
  type Found,
  findExecutable,
  freePort,
  givenServer,
  glob,
  install,
  type ServerAddress,
  ServerProcess,
  type TestServer,
  temporaryFolder,
  unprivileged,
} from './server.ts'

const username = 'postgres'

/** `PITOT_TEST_POSTGRES=postgres://user:password@host:port` names a server to use instead. */
export function findPostgres(): Found {
  const given = process.env.PITOT_TEST_POSTGRES
  if (given !== undefined)
    return {
      start: async () => givenServer(new URL(given), 5432, (address, text) => query(address, 'postgres', text), sql),
    }
  const find = () => findExecutable('initdb', glob('/usr/lib/postgresql', 'bin'))
  const missing = find() === undefined ? install(['postgresql']) : undefined
  const initdb = find()
  if (initdb === undefined) return { missing: `PostgreSQL: ${missing}` }
  return { start: () => start(initdb) }
}

async function start(initdb: string): Promise<TestServer> {
  const owner = unprivileged('postgres')
  const folder = temporaryFolder(owner)
  const data = join(folder, 'data')
  execFileSync(initdb, ['-D', data, '-U', username, '--auth=trust', '-E', 'UTF8', '--no-sync'], {
    ...owner,
    cwd: folder,
    stdio: 'pipe',
  })
  const port = await freePort()
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    // The tests end Pitot's processes, not the machine: the server's own disk discipline is not under test.
    fsync: 'off',
  }
  const args = ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const address = { host: '127.0.0.1', port, username, password: '' }
  const run = (text: string) => query(address, 'postgres', text)
  const server = new ServerProcess(initdb.replace(/initdb$/, 'postgres'), args, { ...owner, cwd: folder }, () =>
    run('select 1'),
  )
  await server.start()
  return {
    ...address,
    createDatabase: (name) => run(sql.create(name)),
    pause: () => server.stop('SIGINT'),
    resume: () => server.start(),
    async stop() {
      await server.stop('SIGINT')
      server.remove()
    },
  }
}

const sql = {
  create: (name: string) => `create database "${name}"`,
  drop: (name: string) => `drop database if exists "${name}" with (force)`,
}

async function query(address: ServerAddress, database: string, text: string): Promise<void> {
  const { host, port, username: user, password } = address
  const client = new Client({ host, port, user, password, database, connectionTimeoutMillis: 2000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
