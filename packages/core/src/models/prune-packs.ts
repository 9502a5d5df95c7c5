import type { PackEntry, PackPart, PackStore } from './pack-store.ts';

/**
 * Unused packs are kept for a week, so that a user who returns to a model within that time needs no second download.
 */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
/** The age, in ms, at which the manifest of a needed pack is put again. */
const REFRESH_MS = KEPT_MS / 7;
const DIGESTS = /[0-9a-f]{64}/g;

export interface PrunePacksDeps {
  readonly packs: PackStore;
  /** Reads the revisions that are needed; null if these are unknown, so that all packs are kept. */
  readonly needed: ((signal?: AbortSignal) => Promise<ReadonlySet<string>>) | null;
  /** How long unused packs and files are kept, in ms. */
  readonly keptMs?: number;
}

export interface PrunedPacks {
  readonly packs: number;
  readonly files: number;
}

/**
 * Removes packs that have been unused for a week, and files that no manifest has named for a week. The manifest of a
 * needed pack is put again every day, so the age of a manifest shows how long its pack has been unused. The files of a
 * running download have no manifest yet, but are young enough to stay.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function prunePacks(
  { packs, needed, keptMs = KEPT_MS }: PrunePacksDeps,
  signal?: AbortSignal,
): Promise<PrunedPacks> {
  const revisions = needed === null ? null : await needed(signal);
  const isNeeded = (revision: string) => revisions === null || revisions.has(revision);
  const named = new Set<string>();
  let removed = 0;
  for await (const { digest: revision, ageMs } of packs.entries('manifests', signal)) {
    const old = { kind: 'manifests', digest: revision, ageMs } as const;
    if (!isNeeded(revision) && (await removeOld({ packs, keptMs }, old, signal))) {
      removed++;
      continue;
    }
    const manifest = (await packs.readManifest(revision, signal)) ?? '';
    digestsIn(manifest).forEach((digest) => named.add(digest));
    const isFresh = ageMs < REFRESH_MS || manifest === '';
    if (isNeeded(revision) && !isFresh) await packs.putManifest(revision, manifest, signal);
  }
  return { packs: removed, files: await removeUnnamed({ packs, named, keptMs }, signal) };
}

/** Finds digests without parsing, because a newer release may have written the manifest in another format. */
function digestsIn(manifest: string): readonly string[] {
  return [...manifest.matchAll(DIGESTS)].map(([digest]) => digest);
}

/**
 * Removes old files that no manifest names. The files are listed after the manifests. If a pack was stored between
 * the two lists, its manifest was not read, but all its files were put again and are young enough to stay.
 */
async function removeUnnamed(
  { packs, named, keptMs }: { packs: PackStore; named: ReadonlySet<string>; keptMs: number },
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  for await (const { digest, ageMs } of packs.entries('files', signal)) {
    if (named.has(digest)) continue;
    if (await removeOld({ packs, keptMs }, { kind: 'files', digest, ageMs }, signal)) removed++;
  }
  return removed;
}

/** Reads the age again before the removal, because a download may have put the file or manifest since the listing. */
async function removeOld(
  { packs, keptMs }: { packs: PackStore; keptMs: number },
  { kind, digest, ageMs }: PackEntry & { readonly kind: PackPart },
  signal?: AbortSignal,
): Promise<boolean> {
  if (ageMs < keptMs) return false;
  const now = await packs.ageOf(kind, digest, signal);
  if (now === null || now < keptMs) return false;
  await packs.remove(kind, digest, signal);
  return true;
}
