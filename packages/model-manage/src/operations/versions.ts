// What all kinds of assets share: a stored version comes in, the reply that carries it goes out.
import { type AssetStore, type AssetVersion, etagOf, type VersionEntry } from '../store/asset-store.ts'
import { type Condition, isKnown } from '../store/conditions.ts'

export function isFound(version: AssetVersion | undefined): version is AssetVersion {
  return version !== undefined
}

/** Ends a "not found" sentence when a certain version was asked for. */
export function detailOf(version: number | undefined): string {
  return version === undefined ? '' : `, version ${version}`
}

/** The content as it was stored, byte by byte; or just that the caller has it already. */
export function versionReply(store: AssetStore, found: AssetVersion, condition: Condition, type: string) {
  const headers = versionHeaders(found)
  if (isKnown(condition, headers.etag)) return { status: 304, headers } as const
  const body = found.body ?? store.open(found.sha256)
  return { status: 200, body, type, headers: { ...headers, 'content-length': String(found.size) } } as const
}

export function versionHeaders(found: AssetVersion) {
  return { etag: etagOf(found) }
}

export function versionList(entries: readonly VersionEntry[]) {
  return entries.map(({ version, type, size, sha256, createdAt, current }) => ({
    version,
    type,
    size,
    sha256,
    created_on: createdAt.toISOString(),
    current,
  }))
}
