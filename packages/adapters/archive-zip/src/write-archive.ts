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

/** Facts about an archive's origin that are stored in its manifest. */
export interface ArchiveOrigin {
  readonly createdAt: Date;
  /** The version of Sightline that writes the archive. */
  readonly product: string;
  /** False if the archive contains only some identities. */
  readonly isWhole: boolean;
}

/**
 * Streams an archive of these parts as a ZIP. If the parts throw, the stream throws before the ZIP's directory is
 * written, so the incomplete file is not a valid ZIP.
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
    // The format requires little-endian floats. All processors that Node 24 supports store floats in that order.
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
