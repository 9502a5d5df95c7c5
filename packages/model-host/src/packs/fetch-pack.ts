import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import type { PackStore } from '@sightline/core/models/pack-store';
import { discoverPacks, MANIFEST } from '@sightline/engine/packs/discover-packs';
import { FileRefused } from '@sightline/engine/onnx/file-refused';
import { MAX_ONNX_BYTES } from '@sightline/engine/onnx/read-onnx';
import { type ModelPack, parseManifest } from '@sightline/engine/packs/manifest';
import { type PackFile, packFiles } from '@sightline/engine/packs/pack-files';
import type { CacheFolder } from '@sightline/model-downloads/cache-folder';
import { onCache } from '@sightline/model-downloads/cache-unusable';
import { SourceFailed } from '@sightline/model-downloads/source-failed';
import { writeVerified } from '@sightline/model-downloads/write-verified';
import { keepEntry } from '../retire-entries.ts';

/** The name of a pack's folder, which is the name of the pack. */
const FOLDER_NAME = /^[^./\\\0][^/\\\0]*$/;

export interface FetchDeps {
  readonly cache: CacheFolder;
  readonly store: Pick<PackStore, 'readManifest' | 'openFile'>;
}

/**
 * Returns the pack of a revision from the cache, or null if the cache does not have it completely.
 * The pack's files are read and compared with their digests, and the pack stays in the cache for at
 * least another week.
 */
export async function findFetched(revision: string, cache: CacheFolder): Promise<ModelPack | null> {
  const home = homeOf(revision, cache);
  await keepEntry(home);
  return findIn(home, revision);
}

/**
 * Copies a pack from the store of packs into the cache, where it appears atomically. Returns null
 * if the store does not have the pack. Every digest is compared, and the graphs are checked like
 * those of a models folder.
 *
 * @throws ModelLoadFailed if the pack does not match its revision; StoreUnavailable; CacheUnusable;
 *   on abort, the signal's reason
 */
export async function fetchPack(
  revision: string,
  { cache, store }: FetchDeps,
  signal: AbortSignal,
): Promise<ModelPack | null> {
  const text = await store.readManifest(revision, signal);
  if (text === null) return null;
  const manifest = readable(text);
  const temporary = await cache.temporaryPath();
  try {
    const folder = join(temporary, manifest.name);
    await onCache(cache.path, () => mkdir(folder, { recursive: true }));
    for (const file of packFiles(manifest)) {
      await fetchFile(file, { folder, cache, store }, signal);
    }
    await onCache(cache.path, () => writeFile(join(folder, MANIFEST), text, { flush: true }));
    const made = await findIn(temporary, revision);
    if (made === null) throw unlike(manifest.name, 'does not match its revision');
    const home = homeOf(revision, cache);
    await cache.put(temporary, home, async () => (await findIn(home, revision)) !== null);
    return { ...made, directory: join(home, manifest.name) };
  } finally {
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function fetchFile(
  { file, sha256 }: PackFile,
  { folder, cache, store }: FetchDeps & { readonly folder: string },
  signal: AbortSignal,
): Promise<void> {
  const opened = await store.openFile(sha256, signal);
  if (opened === null) throw unlike(file, 'is missing');
  const { size, body } = opened;
  if (size > MAX_ONNX_BYTES) {
    await body.cancel();
    throw unlike(file, 'is too large');
  }
  try {
    await writeVerified(body, {
      file: { name: file, sha256, bytes: size, sources: [] },
      path: join(folder, file),
      cache: cache.path,
      onBytes: () => signal.throwIfAborted(),
    });
  } catch (error) {
    if (error instanceof SourceFailed) throw unlike(file, error.message);
    throw error;
  }
}

function readable(text: string) {
  try {
    const manifest = parseManifest(text);
    if (FOLDER_NAME.test(manifest.name)) return manifest;
    throw new FileRefused('has a name that is not valid for a folder');
  } catch (error) {
    if (error instanceof FileRefused) throw unlike(MANIFEST, error.message);
    throw error;
  }
}

async function findIn(home: string, revision: string): Promise<ModelPack | null> {
  try {
    const { packs } = await discoverPacks(home);
    return packs.find((pack) => pack.revision === revision) ?? null;
  } catch (error) {
    if (error instanceof ModelLoadFailed) return null;
    throw error;
  }
}

function homeOf(revision: string, cache: CacheFolder): string {
  return cache.pathOf('fetched', revision);
}

function unlike(file: string, what: string): ModelLoadFailed {
  return new ModelLoadFailed(`The model cannot be read from the model store: ${file} ${what}.`);
}
