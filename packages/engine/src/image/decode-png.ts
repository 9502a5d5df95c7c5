import { UnsupportedFormat } from '@sightline/core/sources/image-errors';
import { openWithSharp } from './decode-sharp.ts';
import type { OpenImage } from './open-image.ts';
import { pixelsWithin } from './pixel-limit.ts';

const SIGNATURE_BYTES = 8;
const HEADER_CHUNK = 'IHDR';
/** The bytes of a chunk's length and type, before its data. */
const CHUNK_HEAD_BYTES = 8;
/** The bytes of a chunk's length, type and checksum. */
const CHUNK_FRAME_BYTES = 12;
const KNOWN_CRITICAL_CHUNKS = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND']);
const TEXT_CHUNKS = new Set(['tEXt', 'zTXt', 'iTXt']);

/**
 * Opens a PNG without its text chunks. libpng would inflate all text chunks before the image, and
 * one megabyte of text chunks can inflate to gigabytes.
 *
 * @throws UnsupportedFormat for a critical chunk that the specification lacks, such as CgBI in the PNGs of iOS apps;
 *   ImageTooLarge; ImageCorrupt as {@link openWithSharp} does
 */
export async function openPng(bytes: Uint8Array, maxPixels: number): Promise<OpenImage> {
  for (const { type, start } of chunks(bytes)) {
    if (type === 'IDAT') break;
    if (type === HEADER_CHUNK) pixelsWithin(maxPixels, sizeAt(bytes, start + CHUNK_HEAD_BYTES));
    // The specification marks a chunk that a decoder has to know by a capital letter.
    if (/^[A-Z][A-Za-z]{3}$/.test(type) && !KNOWN_CRITICAL_CHUNKS.has(type)) {
      throw new UnsupportedFormat(`PNGs with the chunk ${type} are not supported.`);
    }
  }
  return openWithSharp(withoutTextChunks(bytes));
}

/** Returns the file without its text chunks, or the same array if it has none. */
export function withoutTextChunks(bytes: Uint8Array): Uint8Array {
  const kept: Uint8Array[] = [];
  let from = 0;
  for (const { type, start, end } of chunks(bytes)) {
    if (!TEXT_CHUNKS.has(type)) continue;
    kept.push(bytes.subarray(from, start));
    from = end;
  }
  return kept.length === 0 ? bytes : Buffer.concat([...kept, bytes.subarray(from)]);
}

/** Returns the size in the header; 0 if the file ends before it, which libvips reports as damage. */
function sizeAt(bytes: Uint8Array, at: number): Pick<OpenImage, 'width' | 'height'> {
  if (bytes.length < at + 8) return { width: 0, height: 0 };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { width: view.getUint32(at), height: view.getUint32(at + 4) };
}

interface Chunk {
  readonly type: string;
  /** The range of the chunk in the file, with its length, type and checksum. */
  readonly start: number;
  readonly end: number;
}

function* chunks(bytes: Uint8Array): Generator<Chunk> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = SIGNATURE_BYTES; start + CHUNK_FRAME_BYTES <= file.length;) {
    const end = start + CHUNK_FRAME_BYTES + file.readUInt32BE(start);
    yield { type: file.toString('latin1', start + 4, start + 8), start, end };
    start = end;
  }
}
