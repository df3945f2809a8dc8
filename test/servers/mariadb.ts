// MariaDB for tests.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import {
  type Found,
  findExecutable,
  freePort,
  givenServer,
  install,
  type ServerAddress,
  ServerProcess,
  type TestServer,
  temporaryFolder,
  unprivileged,
} from './server.ts'

/** `PITOT_TEST_MARIADB=mysql://user:password@host:port` names a server to use instead. */
export function findMariadb(): Found {
  const given = process.env.PITOT_TEST_MARIADB
  if (given !== undefined) return { start: async () => givenServer(new URL(given), 3306, query, sql) }
  const find = () => findExecutable('mariadbd', ['/usr/sbin', '/usr/libexec'])
  const missing = find() === undefined ? install(['mariadb-server']) : undefined
  const mariadbd = find()
  if (mariadbd === undefined) return { missing: `MariaDB: ${missing}` }
  return { start: () => start(mariadbd) }
}

async function start(mariadbd: string): Promise<TestServer> {
  const owner = unprivileged('mysql')
  const folder = temporaryFolder(owner)
  const data = join(folder, 'data')
  const address = { host: '127.0.0.1', port: await freePort(), username: 'pitot', password: 'secret' }
  execFileSync(
    'mariadb-install-db',
    ['--no-defaults', `--datadir=${data}`, '--skip-test-db', '--auth-root-authentication-method=normal'],
    {
      ...owner,
      cwd: folder,
      stdio: 'pipe',
    },
  )
  const grants = join(folder, 'grants.sql')
  writeFileSync(
    grants,
    `create user if not exists '${address.username}'@'%' identified by '${address.password}';\n` +
      `grant all on *.* to '${address.username}'@'%';\n`,
    { mode: 0o644 },
  )
  const args = [
    '--no-defaults',
    `--datadir=${data}`,
    '--bind-address=127.0.0.1',
    `--port=${address.port}`,
    `--socket=${join(folder, 'socket')}`,
    `--pid-file=${join(folder, 'pid')}`,
    `--init-file=${grants}`,
    '--skip-name-resolve',
    '--max-connections=200',
    '--innodb-flush-log-at-trx-commit=2',
  ]
  const server = new ServerProcess(mariadbd, args, { ...owner, cwd: folder }, () => query(address, 'select 1'))
  await server.start()
  return {
    ...address,
    createDatabase: (name) => query(address, sql.create(name)),
    pause: () => server.stop('SIGTERM'),
    resume: () => server.start(),
    async stop() {
      await server.stop('SIGTERM')
      server.remove()
    },
  }
}

const sql = {
  create: (name: string) => `create database \`${name}\``,
  drop: (name: string) => `drop database if exists \`${name}\``,
}

async function query(address: ServerAddress, text: string): Promise<void> {
  const { host, port, username: user, password } = address
  const connection = await createConnection({ host, port, user, password, connectTimeout: 2000 })
  try {
    await connection.query(text)
  } finally {
    await connection.end()
  }
}
