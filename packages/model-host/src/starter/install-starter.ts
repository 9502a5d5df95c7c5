import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import { FileRefused } from '@sightline/engine/onnx/file-refused';
import { discoverPacks } from '@sightline/engine/packs/discover-packs';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import type { ModelContents } from '@sightline/engine/packs/model-contents';
import type { CacheFolder } from '@sightline/model-downloads/cache-folder';
import { onCache } from '@sightline/model-downloads/cache-unusable';
import type { ModelFiles } from '@sightline/model-downloads/model-files';
import { PreparationFailed } from './preparation-failed.ts';
import type { StarterPack, StarterPart } from './starter-pack.ts';

const MANIFEST = 'manifest.json';

export interface InstallDeps {
  readonly cache: CacheFolder;
  readonly files: Pick<ModelFiles, 'get'>;
  /** Receives the contents of the pack's files. */
  readonly contents?: ModelContents | undefined;
  /** Called when all published files are available, before the pack's files are created from them. */
  readonly onPrepare: () => void;
}

/**
 * Takes the pack from the cache. If the pack is missing or damaged there, it is created first. The
 * pack appears atomically. The cache's key is the whole manifest, so other versions of Sightline
 * have other entries.
 *
 * The caller should install before it serves requests, because the calling thread prepares the
 * files, which takes some seconds in total.
 *
 * @throws FileUnavailable, CacheUnusable, PreparationFailed; on abort, the signal's reason
 */
export async function installStarter(
  pack: StarterPack,
  { cache, files, contents, onPrepare }: InstallDeps,
  signal: AbortSignal,
): Promise<ModelPack> {
  const manifest = starterManifest(pack);
  const home = starterHome(pack, cache);
  const present = await findPack(home, { pack, manifest, contents });
  if (present !== null) return present;
  const published = await getPublished(pack, files, signal);
  onPrepare();
  const temporary = await cache.temporaryPath();
  try {
    const folder = join(temporary, pack.manifest.name);
    await onCache(cache.path, () => mkdir(folder, { recursive: true }));
    for (const part of pack.parts) {
      const sources = await onCache(cache.path, () => readPublished(part, published));
      const bytes = prepare(pack, part, sources);
      signal.throwIfAborted();
      await onCache(cache.path, () => writeFile(join(folder, part.file), bytes, { flush: true }));
    }
    await onCache(cache.path, () => writeFile(join(folder, MANIFEST), manifest, { flush: true }));
    const made = await findPack(temporary, { pack, manifest, contents });
    if (made === null) throw new PreparationFailed('the written pack cannot be read back');
    const isGood = async () => (await findPack(home, { pack, manifest })) !== null;
    await cache.put(temporary, home, isGood);
    return { ...made, directory: join(home, pack.manifest.name) };
  } finally {
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
  }
}

export function starterManifest({ manifest }: StarterPack): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Returns the folder that contains the folder of the pack. */
export function starterHome(pack: StarterPack, cache: CacheFolder): string {
  return cache.pathOf('packs', digestOf(starterManifest(pack)).slice(0, 16));
}

interface SoughtPack extends Pick<InstallDeps, 'contents'> {
  readonly pack: StarterPack;
  readonly manifest: string;
}

/** Returns null if the pack is missing or does not match the manifest. */
async function findPack(
  home: string,
  { pack, manifest, contents }: SoughtPack,
): Promise<ModelPack | null> {
  const { name } = pack.manifest;
  const written = await readFile(join(home, name, MANIFEST), 'utf8').catch(() => null);
  // Only the expected manifest is accepted, because discoverPacks compares the files with the digests in the manifest
  // that it finds.
  if (written !== manifest) return null;
  try {
    const { packs } = await discoverPacks(home, contents);
    return packs.find((each) => each.manifest.name === name) ?? null;
  } catch (error) {
    if (error instanceof ModelLoadFailed) return null;
    throw error;
  }
}

type Published = ReadonlyMap<string, string>;

/** Gets the files in parallel, so that the timeouts of unreachable sources do not add up. */
async function getPublished(
  { parts }: StarterPack,
  files: Pick<ModelFiles, 'get'>,
  signal: AbortSignal,
): Promise<Published> {
  const published = parts.flatMap((part) => part.published);
  const got = await Promise.allSettled(
    published.map(async (file) => [file.sha256, await files.get(file, signal)] as const),
  );
  return new Map(
    got.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    }),
  );
}

/**
 * Reads the published files of a part from the cache. Rejects if one is missing, because the cache was cleared after
 * the download.
 */
function readPublished({ published }: StarterPart, paths: Published): Promise<Uint8Array[]> {
  return Promise.all(published.map(({ sha256 }) => readFile(paths.get(sha256)!)));
}

function prepare(
  { manifest }: StarterPack,
  { file, prepare: make }: StarterPart,
  sources: readonly Uint8Array[],
): Uint8Array {
  const bytes = withoutRefusal(file, () => make(...sources));
  const expected = manifest.components.find((component) => component.file === file)?.sha256;
  const digest = digestOf(bytes);
  if (digest === expected) return bytes;
  throw new PreparationFailed(
    `${file} was prepared with the digest ${digest} instead of ${expected}`,
  );
}

function withoutRefusal(file: string, make: () => Uint8Array): Uint8Array {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    throw new PreparationFailed(`${file} cannot be prepared: it ${error.message}`, {
      cause: error,
    });
  }
}

function digestOf(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
