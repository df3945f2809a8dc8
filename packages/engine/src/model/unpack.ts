// The files of a model: its package comes in, a folder with source and unpacked attachments goes out.
import { constants } from 'node:fs'
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Unpacking } from './archive/unpacking.ts'
import { sourceFile } from './languages.ts'
import { type ArchiveLimits, archiveLimits } from './limits.ts'
import type { ModelPackage } from './package.ts'

/** Loaded when they are needed: most models come without attachments. */
const unpackers = {
  zip: async () => (await import('./archive/zip.ts')).unpackZip,
  gzip: async () => (await import('./archive/tar.ts')).unpackTarGz,
}

/** Unpacks all attachments into a folder that exists. Rejects with `bad-attachment`; the folder may then hold a part of them. */
export async function unpackAttachments(
  model: Pick<ModelPackage, 'language' | 'attachments'>,
  folder: string,
  limits: ArchiveLimits = archiveLimits,
): Promise<void> {
  const unpacking = new Unpacking(folder, limits, sourceFile(model.language))
  for (const { file, type, name, size } of model.attachments) {
    const unpack = await unpackers[type]()
    await unpack(file, { name, size }, unpacking)
  }
}

/** What is made or being made for a model, by the folder of the template. */
const templates = new WeakMap<ModelPackage, Map<string, Promise<void>>>()

/**
 * Makes `folder`, which must not be there, with everything a jet of the model finds in its working folder. The attachments
 * are unpacked once, into `template`; each further folder is a copy, which costs no room where the file system can share it.
 */
export async function prepareFolder(model: ModelPackage, template: string, folder: string): Promise<void> {
  const made = templates.getOrInsertComputed(model, () => new Map())
  const ready = made.getOrInsertComputed(template, () => makeTemplate(model, template))
  ready.catch(() => made.delete(template))
  await ready
  await cp(template, folder, { recursive: true, errorOnExist: true, force: false, mode: constants.COPYFILE_FICLONE })
}

/** Appears whole or not at all. */
async function makeTemplate(model: ModelPackage, template: string): Promise<void> {
  const unfinished = `${template}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  try {
    await unpackAttachments(model, unfinished)
    await writeFile(join(unfinished, sourceFile(model.language)), model.source, { flag: 'wx', mode: 0o644 })
    await rm(template, { recursive: true, force: true })
    await rename(unfinished, template)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}
