// How much a model may be: what is held in memory, what is kept on the disk, and what archives may grow to.

export interface PackageLimits {
  /** Bytes of the source, and of each schema sent along. */
  readonly source: number
  /** Bytes of all attachments together, as they are sent. */
  readonly attachments: number
}

export interface ArchiveLimits {
  /** Files and folders of all attachments together. */
  readonly entries: number
  /** Bytes of all files together. */
  readonly bytes: number
  /** How many times its own size an archive may grow to, once it has grown beyond `freeBytes`. */
  readonly ratio: number
  readonly freeBytes: number
}

export const packageLimits: PackageLimits = { source: 16 * 2 ** 20, attachments: 16 * 2 ** 30 }

/** Data of models seldom shrinks to less than a hundredth; what small archives grow to does no harm. */
export const archiveLimits: ArchiveLimits = {
  entries: 100_000,
  bytes: 32 * 2 ** 30,
  ratio: 200,
  freeBytes: 64 * 2 ** 20,
}
