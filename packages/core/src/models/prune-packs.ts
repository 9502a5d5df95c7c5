import type { PackEntry, PackPart, PackStore } from './pack-store.ts';

/** A week: whoever takes a model back has so long to change their mind. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
/** How often it is noted that a pack is needed. */
const NOTED_MS = KEPT_MS / 7;
const DIGESTS = /[0-9a-f]{64}/g;

export interface PrunePacksDeps {
  readonly packs: PackStore;
  /** Revisions that are needed; null: nobody can say, and all packs are. */
  readonly needed: ((signal?: AbortSignal) => Promise<ReadonlySet<string>>) | null;
  /** For how long what nothing needs stays, in ms. */
  readonly keptMs?: number;
}

/** How much was removed. */
export interface PrunedPacks {
  readonly packs: number;
  readonly files: number;
}

/**
 * Removes packs that nothing has needed for a week, and files that no pack has named for as long. The manifest of a
 * pack that is needed is put again every day, so its age tells how long nothing has needed it. The files of a download
 * that is under way have no manifest yet, but are young.
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
    const isNoted = ageMs < NOTED_MS || manifest === '';
    if (isNeeded(revision) && !isNoted) await packs.putManifest(revision, manifest, signal);
  }
  return { packs: removed, files: await removeUnnamed({ packs, named, keptMs }, signal) };
}

/** Whatever looks like a digest keeps a file of that name, also in the manifest of a newer release. */
function digestsIn(manifest: string): readonly string[] {
  return [...manifest.matchAll(DIGESTS)].map(([digest]) => digest);
}

/** Files are listed after the manifests: a pack that came meanwhile has put all of its files anew. */
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

/** A list is older than what a fetch has put while it was read, so each age is asked for again right before. */
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
