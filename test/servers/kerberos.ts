// A Kerberos realm for tests: MIT's key distribution centre from Debian, and the npm package `kerberos` that talks to it.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { findExecutable, freePort, install, ServerProcess } from './server.ts'

export const realm = 'PITOT.TEST'

export interface TestRealm {
  /** The krb5.conf that names the realm, for `KRB5_CONFIG`. */
  readonly configuration: string
  /** Makes a principal with a new key, and the path of a keytab that holds it. */
  addPrincipal(name: string): string
  stop(): Promise<void>
}

export type FoundRealm =
  | { readonly start: () => Promise<TestRealm>; readonly module: string }
  | { readonly missing: string }

/** `module` is the folder of the npm package `kerberos`, built outside of the repository, once per machine. */
export function findKerberos(): FoundRealm {
  const find = () => findExecutable('krb5kdc', ['/usr/sbin'])
  const packages = ['krb5-kdc', 'krb5-admin-server', 'krb5-user', 'libkrb5-dev', 'g++', 'make', 'python3']
  const reason = find() === undefined || !existsSync('/usr/include/gssapi.h') ? install(packages) : undefined
  const kdc = find()
  if (kdc === undefined) return { missing: `Kerberos: ${reason}` }
  const built = buildModule()
  return 'missing' in built ? built : { start: () => start(kdc), module: built.folder }
}

function buildModule(): { folder: string } | { missing: string } {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'pitot-test')
  const place = join(cache, `kerberos-7-${process.arch}`)
  const folder = join(place, 'node_modules', 'kerberos')
  if (existsSync(folder)) return { folder }
  mkdirSync(cache, { recursive: true })
  const attempt = mkdtempSync(`${place}-`)
  try {
    writeFileSync(join(attempt, 'package.json'), '{}')
    execFileSync('npm', ['install', '--no-audit', '--no-fund', 'kerberos@7'], {
      cwd: attempt,
      stdio: 'pipe',
      timeout: 600_000,
    })
    if (!existsSync(place)) renameSync(attempt, place)
    return { folder }
  } catch (error) {
    return { missing: `the npm package kerberos could not be built: ${(error as Error).message.split('\n')[0]}` }
  } finally {
    rmSync(attempt, { recursive: true, force: true })
  }
}

async function start(kdc: string): Promise<TestRealm> {
  const cwd = mkdtempSync(join(tmpdir(), 'pitot-kerberos-'))
  const port = await freePort()
  const configuration = join(cwd, 'krb5.conf')
  const profile = join(cwd, 'kdc.conf')
  writeFileSync(configuration, clientConfiguration(port))
  writeFileSync(profile, serverConfiguration(port, cwd))
  const variables = { KRB5_CONFIG: configuration, KRB5_KDC_PROFILE: profile }
  const run = (name: string, ...args: string[]) =>
    execFileSync(findExecutable(name, ['/usr/sbin']) ?? name, args, {
      env: { ...process.env, ...variables },
      stdio: 'pipe',
    })
  run('kdb5_util', 'create', '-s', '-r', realm, '-P', 'master')
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  const server = new ServerProcess('/usr/bin/env', [...assignments, kdc, '-n'], { cwd }, () => accepts(port))
  await server.start()
  let keytabs = 0
  return {
    configuration,
    addPrincipal(name) {
      const keytab = join(cwd, `${keytabs++}.keytab`)
      run('kadmin.local', '-q', `addprinc -randkey ${name}@${realm}`)
      run('kadmin.local', '-q', `ktadd -k ${keytab} ${name}@${realm}`)
      return keytab
    },
    async stop() {
      await server.stop('SIGTERM')
      server.remove()
    },
  }
}

function clientConfiguration(port: number): string {
  return `[libdefaults]
  default_realm = ${realm}
  dns_lookup_kdc = false
  dns_lookup_realm = false
  dns_canonicalize_hostname = false
  rdns = false
  udp_preference_limit = 1
[realms]
  ${realm} = {
    kdc = 127.0.0.1:${port}
  }
[domain_realm]
  localhost = ${realm}
`
}

function serverConfiguration(port: number, folder: string): string {
  return `[kdcdefaults]
  kdc_listen = 127.0.0.1:${port}
  kdc_tcp_listen = 127.0.0.1:${port}
[realms]
  ${realm} = {
    database_name = ${join(folder, 'principal')}
    key_stash_file = ${join(folder, 'stash')}
    acl_file = ${join(folder, 'kadm5.acl')}
  }
[logging]
  kdc = FILE:${join(folder, 'kdc.log')}
`
}

function accepts(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
}
