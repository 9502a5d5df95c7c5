import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { LocalFile } from '@sightline/core/media/local-file';
import { readDirectory } from '@sightline/archive-zip/zip-reading/read-directory';
import { readEntry } from '@sightline/archive-zip/zip-reading/read-entry';
import type { ZipEntry } from '@sightline/archive-zip/zip-reading/zip-entry';
import { NotAZip, ZipRefused, ZipTooLarge } from '@sightline/archive-zip/zip-reading/zip-errors';
import { onCache } from '../cache-unusable.ts';
import { SourceFailed } from '../source-failed.ts';
import { isPackFileName } from './pack-file-name.ts';

const ARCHIVE_INVALID = { reason: 'archive_invalid' } as const;

/** The limit for the entries of an archive. A pack has about ten files. */
const MAX_ENTRIES = 100;

const LOCAL_HEADER = Buffer.from('504b0304', 'hex');

export interface Unpacking {
  /** The existing folder that receives the files. */
  readonly directory: string;
  /** The cache that contains the directory, for error messages. */
  readonly cache: string;
  /** The limit for the total size of the files, in bytes. */
  readonly maxBytes: number;
  /** @throws if the disk of the cache has less free space than this, in bytes */
  readonly requireRoom: (bytes: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Whether a file begins like a ZIP archive. */
export async function isZip(file: LocalFile): Promise<boolean> {
  if (file.size < LOCAL_HEADER.length) return false;
  return LOCAL_HEADER.equals(await file.read({ offset: 0, size: LOCAL_HEADER.length }));
}

/**
 * Unpacks the files of a pack from a ZIP file, in which they may be in one folder. Checks the whole archive before writing
 * the first file. Skips files that do not belong to a pack.
 *
 * @throws SourceFailed if the archive is damaged or hostile, or has models in several folders;
 *   CacheUnusable; the errors of `requireRoom`; the signal's reason on abort
 */
export async function unpackModel(zip: LocalFile, unpacking: Unpacking): Promise<void> {
  try {
    await unpack(zip, unpacking);
  } catch (error) {
    unpacking.signal.throwIfAborted();
    throw asSourceFailed(error);
  }
}

async function unpack(zip: LocalFile, unpacking: Unpacking): Promise<void> {
  const { maxBytes, requireRoom, signal } = unpacking;
  const entries = await readDirectory(zip, { maxBytes, maxEntries: MAX_ENTRIES }, signal);
  const packEntries = [...entries.values()].filter(isOfPack);
  requireOneFolder(packEntries);
  await requireRoom(packEntries.reduce((sum, { size }) => sum + size, 0));
  for (const entry of packEntries) {
    await writeEntry(readEntry(zip, entry), baseName(entry), unpacking);
  }
}

async function writeEntry(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  { directory, cache, signal }: Unpacking,
): Promise<void> {
  await using file = await onCache(cache, () => open(join(directory, name), 'wx', 0o600));
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    await onCache(cache, () => file.appendFile(chunk));
  }
}

function isOfPack(entry: ZipEntry): boolean {
  // macOS adds metadata files with the same names in this folder.
  return isPackFileName(baseName(entry)) && !entry.name.startsWith('__MACOSX/');
}

function requireOneFolder(entries: readonly ZipEntry[]): void {
  const folders = new Set(entries.map(({ name }) => name.slice(0, name.lastIndexOf('/') + 1)));
  if (folders.size > 1) {
    throw new SourceFailed('provided a ZIP file with models in several folders', ARCHIVE_INVALID);
  }
}

function baseName({ name }: ZipEntry): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function asSourceFailed(cause: unknown): unknown {
  if (cause instanceof ZipTooLarge) {
    const { maxBytes } = cause;
    return new SourceFailed(`provided a ZIP file whose contents exceed ${maxBytes} bytes`, {
      cause,
      reason: 'too_large',
    });
  }
  if (!(cause instanceof ZipRefused || cause instanceof NotAZip)) return cause;
  return new SourceFailed(`provided a ZIP file that is refused: ${cause.message}`, {
    ...ARCHIVE_INVALID,
    cause,
  });
}
