import type { ArchiveHead } from '@sightline/contracts/archive/archive-head';
import {
  ARCHIVE_VERSION,
  HEAD_ENTRY,
  IDENTITIES_ENTRY,
  MODELS_ENTRY,
  pageEntries,
} from '@sightline/contracts/archive/archive-layout';
import type { LibraryImage } from '@sightline/core/library/library-image';
import type { ExportPart } from '@sightline/core/transfer/export-library';
import type { z } from 'zod';
import { imageLines } from './image-lines.ts';
import {
  entryOf,
  type PlaceVector,
  toIdentityRecord,
  toImageRecord,
  toModelRecord,
} from './to-record.ts';
import { writeZip } from './write-zip.ts';
import { linesEntry, storedEntry, type ZipEntry } from './zip-entry.ts';

/** Facts about the origin of an archive, which its manifest records. */
export interface ArchiveOrigin {
  readonly createdAt: Date;
  /** The version of the product. */
  readonly product: string;
  /** Whether the archive contains the whole library. */
  readonly isWhole: boolean;
}

/**
 * The bytes of an archive of these parts, created while they are read. An error of the parts ends the archive; the
 * bytes are not a valid ZIP then, because its directory is missing.
 */
export function writeArchive(
  parts: AsyncIterable<ExportPart>,
  origin: ArchiveOrigin,
): AsyncGenerator<Uint8Array> {
  return writeZip(entriesOf(parts, origin), origin.createdAt);
}

async function* entriesOf(
  parts: AsyncIterable<ExportPart>,
  origin: ArchiveOrigin,
): AsyncGenerator<ZipEntry> {
  let page = 0;
  for await (const part of parts) {
    switch (part.part) {
      case 'beginning':
        yield headEntry(origin);
        yield await linesEntry(IDENTITIES_ENTRY, jsonOf(part.identities, toIdentityRecord));
        break;
      case 'file':
        yield storedEntry(entryOf(part.file), part.file.bytes);
        break;
      case 'page':
        if (part.images.length > 0) yield* entriesOfPage(++page, part.images);
        break;
      case 'end':
        yield await linesEntry(MODELS_ENTRY, jsonOf(part.models, toModelRecord));
    }
  }
}

function headEntry({ createdAt, product, isWhole }: ArchiveOrigin): ZipEntry {
  const head: z.input<typeof ArchiveHead> = {
    format: 'sightline-archive',
    version: ARCHIVE_VERSION,
    created_at: createdAt.toISOString(),
    product,
    whole: isWhole,
  };
  return storedEntry(HEAD_ENTRY, Buffer.from(`${JSON.stringify(head)}\n`));
}

async function* entriesOfPage(
  page: number,
  images: readonly LibraryImage[],
): AsyncGenerator<ZipEntry> {
  const names = pageEntries(page);
  const vectors: Uint8Array[] = [];
  let floats = 0;
  const place = (vector: Float32Array): number => {
    const offset = floats;
    // The bytes are little-endian, as in the memory of every processor that Node 24 runs on.
    vectors.push(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
    floats += vector.length;
    return offset;
  };
  yield await linesEntry(names.images, linesOf(images, place));
  yield storedEntry(names.vectors, Buffer.concat(vectors));
}

function* linesOf(images: readonly LibraryImage[], place: PlaceVector): Generator<string> {
  for (const image of images) yield* imageLines(toImageRecord(image, place));
}

function* jsonOf<Item>(
  items: readonly Item[],
  toRecord: (item: Item) => object,
): Generator<string> {
  for (const item of items) yield JSON.stringify(toRecord(item));
}
