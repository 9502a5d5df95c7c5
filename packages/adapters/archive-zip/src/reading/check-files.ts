import { ArchiveInvalid } from '@sightline/core/transfer/archive-errors';
import { ARCHIVE_LIMITS } from '@sightline/core/transfer/archive-limits';
import { createHash } from 'node:crypto';
import type { ArchiveEntries } from './archive-entries.ts';
import { jpegSize } from './jpeg-size.ts';
import type { ImageRecord } from './read-pages.ts';

/** The maximum size of a file in the archive, because the import holds the whole file in memory to store it. */
export const MAX_FILE_BYTES = ARCHIVE_LIMITS.image.fileBytes;

/**
 * The number of bytes in which a JPEG's frame header must occur. Color profiles and other data may precede the header.
 */
const MAX_HEADER_BYTES = 256 * 1024;

interface FileRecord {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

/**
 * Checks the files of an image: their sizes and digests, that the image and its crops begin as JPEGs, and that the
 * image has the recorded width and height.
 *
 * @throws ArchiveInvalid; read errors of the archive's file
 */
export async function checkFiles(
  entries: ArchiveEntries,
  { file, original, detections }: ImageRecord,
): Promise<void> {
  const header = await checkFile(entries, file);
  const size = jpegSize(header);
  if (size === null) throw noJpeg(file.path);
  if (size.width !== file.width || size.height !== file.height) {
    throw new ArchiveInvalid(file.path, 'has another width or height than its record');
  }
  if (original !== null) await checkFile(entries, original);
  for (const { crop } of detections) {
    if (jpegSize(await checkFile(entries, crop)) === null) throw noJpeg(crop.path);
  }
}

/** @returns the first bytes of the file, which contain the JPEG header */
async function checkFile(
  entries: ArchiveEntries,
  { path, sha256, size }: FileRecord,
): Promise<Uint8Array> {
  const { size: actual } = entries.get(path);
  if (actual > MAX_FILE_BYTES) {
    throw new ArchiveInvalid(path, `has more than ${MAX_FILE_BYTES} bytes`);
  }
  if (actual !== size) throw new ArchiveInvalid(path, 'has another size than its record');
  const hash = createHash('sha256');
  const first: Uint8Array[] = [];
  let kept = 0;
  for await (const chunk of entries.read(path)) {
    hash.update(chunk);
    if (kept < MAX_HEADER_BYTES) first.push(chunk);
    kept += chunk.length;
  }
  if (hash.digest('hex') === sha256) return first.length === 1 ? first[0]! : Buffer.concat(first);
  throw new ArchiveInvalid(path, 'has another digest than its record');
}

function noJpeg(path: string): ArchiveInvalid {
  return new ArchiveInvalid(path, 'is not a JPEG');
}
