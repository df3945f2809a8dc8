// The certificate of a service: given by two files, or made on first start and kept in the data folder.
import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Certificate {
  readonly cert: string
  readonly key: string
}

const yearsValid = 10

/** Reads the certificate in `folder`, making it when there is none. Several services may share the folder. */
export async function ownCertificate(folder: string): Promise<Certificate> {
  const file = join(folder, 'certificate.pem')
  const kept = await readFile(file, 'utf8').catch(() => undefined)
  if (kept !== undefined) return split(kept)
  const made = await makeCertificate()
  await mkdir(folder, { recursive: true })
  // One file, put into place whole: key and certificate can never be of two different makings.
  const temporary = `${file}.${randomUUID()}`
  await writeFile(temporary, `${made.key}\n${made.cert}`, { mode: 0o600 })
  await putIntoPlace(temporary, file)
  return split(await readFile(file, 'utf8'))
}

/** Of several that start at once the first one's certificate stays; a link, unlike a move, never replaces a file. */
async function putIntoPlace(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file)
  } catch (error) {
    // Not every file system has links.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return rename(temporary, file)
  }
  await rm(temporary)
}

function split(pem: string): Certificate {
  const start = pem.indexOf('-----BEGIN CERTIFICATE-----')
  if (start < 0 || !pem.slice(0, start).includes('PRIVATE KEY'))
    throw new Error('the certificate file in the data folder is damaged; remove it, and a new one is made')
  return { key: pem.slice(0, start).trim(), cert: pem.slice(start).trim() }
}

async function makeCertificate(): Promise<Certificate> {
  // Needed once in the life of a data folder, and larger than everything else a service has in memory.
  const { generate } = await import('selfsigned')
  const notAfterDate = new Date()
  notAfterDate.setFullYear(notAfterDate.getFullYear() + yearsValid)
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'pitot' }], {
    keyType: 'ec',
    notAfterDate,
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  })
  return { cert, key }
}
