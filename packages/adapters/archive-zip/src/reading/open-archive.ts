import { IDENTITIES_ENTRY, pageEntries } from '@sightline/contracts/archive/archive-layout';
import { forEachConcurrently } from '@sightline/core/concurrency/for-each-concurrently';
import type { LocalFile } from '@sightline/core/media/local-file';
import { ARCHIVE_LIMITS } from '@sightline/core/transfer/archive-limits';
import type { ArchiveReader, ReadableArchive } from '@sightline/core/transfer/archive-reader';
import type { ImageToImport } from '@sightline/core/recognition/import/import-run';
import { listEntries, locateEntries, type ZipLimits } from '../zip-reading/read-directory.ts';
import type { ZipEntry } from '../zip-reading/zip-entry.ts';
import { ArchiveEntries } from './archive-entries.ts';
import { asArchiveError } from './as-archive-error.ts';
import { checkFiles } from './check-files.ts';
import { type ArchiveHeads, ImageChecker } from './check-image.ts';
import { PageVectors } from './page-vectors.ts';
import { checkHead, folderOfHead, readIdentities, readModels } from './read-head.ts';
import { countPages, type PageImage, readPage } from './read-pages.ts';
import { toImage } from './to-image.ts';

/** Bytes of memory that the identities take for each byte of their file. */
const IDENTITIES_FACTOR = 4;

/** The number of images whose files are checked at the same time, so that one is hashed while others are read. */
const IMAGES_AT_A_TIME = 4;

/**
 * Announces an allocation, in bytes, that lasts until the archive is closed. An error from this function refuses the
 * archive.
 */
export type ReserveMemory = (bytes: number) => void;

/** Reads archives in ZIP format (docs/archive.md), without a limit on memory. */
export const zipArchiveReader: ArchiveReader = zipArchiveReaderIn(() => undefined);

/**
 * Reads archives like `zipArchiveReader`, but asks `reserve` before the two largest allocations: the list of entries
 * and the identities. Callers use it to limit the memory of several open archives together.
 */
export function zipArchiveReaderIn(reserve: ReserveMemory): ArchiveReader {
  return {
    open: (file, maxBytes, signal) => openArchive(file, { maxBytes, reserve }, signal),
  };
}

async function openArchive(
  file: LocalFile,
  { maxBytes, reserve }: { readonly maxBytes: number; readonly reserve: ReserveMemory },
  signal?: AbortSignal,
): Promise<ReadableArchive> {
  const limits = { maxBytes, maxEntries: ARCHIVE_LIMITS.entries, reserve };
  const entries = new ArchiveEntries(file, await findEntries(file, limits, signal), signal);
  await checkHead(entries);
  reserve(entries.get(IDENTITIES_ENTRY).size * IDENTITIES_FACTOR);
  const heads = {
    models: await readModels(entries),
    identities: await readIdentities(entries),
  };
  const pages = countPages(entries);
  const { images: imageCount, models: used } = await checkPages(entries, heads, pages);
  return {
    models: heads.models.filter(({ id }) => used.has(id)),
    identities: heads.identities,
    imageCount,
    images: () => readImages({ ...heads, entries }, pages),
  };
}

/**
 * Finds the entries by their names in the folder of the archive's head. Other programs pack an archive's files inside a
 * folder. A file without a head is refused before the headers of its entries are read.
 */
async function findEntries(
  file: LocalFile,
  limits: ZipLimits,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, ZipEntry>> {
  try {
    const listed = await listEntries(file, limits, signal);
    const folder = folderOfHead(listed.map(({ name }) => name));
    const located = await locateEntries(file, listed, signal);
    const inside = located.filter(({ name }) => name.startsWith(folder));
    return new Map(inside.map((entry) => [entry.name.slice(folder.length), entry]));
  } catch (error) {
    throw asArchiveError(error);
  }
}

/** @returns the number of images, and the ids of the models of which they have vectors */
async function checkPages(
  entries: ArchiveEntries,
  heads: ArchiveHeads,
  pages: number,
): Promise<{ readonly images: number; readonly models: ReadonlySet<number> }> {
  const checker = new ImageChecker(heads);
  let images = 0;
  for (let page = 1; page <= pages; page += 1) {
    await new PageVectors(entries, pageEntries(page).vectors).checkBytes();
    const checked = withChecks(readPage(entries, page), checker);
    await forEachConcurrently(checked, IMAGES_AT_A_TIME, async ({ record }) => {
      await checkFiles(entries, record);
      images += 1;
    });
  }
  return { images, models: checker.usedModels };
}

async function* withChecks(
  images: AsyncIterable<PageImage>,
  checker: ImageChecker,
): AsyncGenerator<PageImage> {
  for await (const image of images) {
    await checker.check(image);
    yield image;
  }
}

async function* readImages(
  contents: Parameters<typeof toImage>[0],
  pages: number,
): AsyncGenerator<ImageToImport> {
  for (let page = 1; page <= pages; page += 1) {
    for await (const image of readPage(contents.entries, page)) yield toImage(contents, image);
  }
}
