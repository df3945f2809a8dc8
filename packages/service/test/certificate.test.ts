import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ownCertificate } from '../src/certificate.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pitot-certificate-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const matches = (pair: { cert: string; key: string }) =>
  new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key))

describe('ownCertificate', () => {
  test('makes a certificate for this machine whose key matches', async () => {
    const pair = await ownCertificate(folder)
    expect(matches(pair)).toBe(true)
    const certificate = new X509Certificate(pair.cert)
    expect(certificate.subject).toBe('CN=pitot')
    expect(certificate.checkHost('localhost')).toBe('localhost')
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1')
    expect(certificate.checkIP('::1')).toBeDefined()
    expect(certificate.checkHost('example.org')).toBeUndefined()
    const days = (certificate.validToDate.getTime() - certificate.validFromDate.getTime()) / 86_400_000
    expect(days).toBeGreaterThan(3650)
    expect(days).toBeLessThan(3660)
  })

  test('makes it once and reuses it', async () => {
    const first = await ownCertificate(folder)
    const written = await readFile(join(folder, 'certificate.pem'), 'utf8')
    expect(await ownCertificate(folder)).toEqual(first)
    expect(await readFile(join(folder, 'certificate.pem'), 'utf8')).toBe(written)
  })

  test('keeps it where only its owner can read it, and leaves nothing else behind', async () => {
    await ownCertificate(folder)
    expect(await readdir(folder)).toEqual(['certificate.pem'])
    expect((await stat(join(folder, 'certificate.pem'))).mode & 0o777).toBe(0o600)
  })

  test('makes the folder', async () => {
    expect(matches(await ownCertificate(join(folder, 'not', 'there')))).toBe(true)
    expect(await readdir(join(folder, 'not', 'there'))).toEqual(['certificate.pem'])
  })

  test('gives all of several starters the same certificate', async () => {
    const pairs = await Promise.all(Array.from({ length: 8 }, () => ownCertificate(folder)))
    const kept = await ownCertificate(folder)
    expect(matches(kept)).toBe(true)
    for (const pair of pairs) expect(pair).toEqual(kept)
    expect(await readdir(folder)).toEqual(['certificate.pem'])
  })

  const damaged: [name: string, damage: (pem: string) => string][] = [
    ['is empty', () => ''],
    ['is rubbish', () => 'rubbish'],
    ['has no certificate', (pem) => pem.slice(0, pem.indexOf('-----BEGIN CERTIFICATE-----'))],
    ['has no key', (pem) => pem.slice(pem.indexOf('-----BEGIN CERTIFICATE-----'))],
  ]
  test.each(damaged)('says what to do when the file %s', async (_, damage) => {
    await ownCertificate(folder)
    const file = join(folder, 'certificate.pem')
    await writeFile(file, damage(await readFile(file, 'utf8')))
    await expect(ownCertificate(folder)).rejects.toThrow(
      'the certificate file in the data folder is damaged; remove it, and a new one is made',
    )
  })
})
