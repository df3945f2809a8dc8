// Reads package-lock.json, adds the optional platform packages that the registry in use did not have, writes it back.
//
// Tools with native parts list one optional package per platform. npm leaves those out of the lock file that the registry
// at hand does not carry, and `npm ci` then refuses the lock file as incomplete, on every platform. An entry that says
// for which system a package is lets `npm ci` pass it by where it is not wanted, and look for it where it is.
import { readFileSync, writeFileSync } from 'node:fs'

interface LockEntry {
  version: string
  dev?: boolean
  optional?: boolean
  cpu?: string[]
  os?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockEntry> }

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'netbsd', 'openbsd', 'sunos', 'aix']
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32']

/** `@scope/binding-linux-arm64-musl` -> linux, arm64, musl. */
function platform(name: string): Pick<LockEntry, 'cpu' | 'os' | 'libc'> {
  const words = name.split(/[/-]/)
  const os = systems.filter((system) => words.includes(system))
  const cpu = processors.filter((processor) => words.includes(processor))
  if (cpu.length === 0) throw new Error(`${name}: its name does not say for which processor it is`)
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : words.includes('gnu') ? ['glibc'] : []
  return { cpu, ...(os.length > 0 && { os }), ...(libc.length > 0 && { libc }) }
}

const added: string[] = []
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const nested = `${path}/node_modules/${name}`
    const top = `node_modules/${name}`
    if (nested in lock.packages || top in lock.packages) continue
    if (!/^\d/.test(version)) throw new Error(`${name}@${version}: only exact versions can be completed`)
    lock.packages[top] = { version, ...platform(name), ...(entry.dev && { dev: true }), optional: true }
    added.push(`${name}@${version}`)
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(added.length === 0 ? 'package-lock.json is complete' : `added to package-lock.json: ${added.join(', ')}`)
