import { openWithSharp } from './decode-sharp.ts';
import type { OpenImage } from './open-image.ts';

const SIGNATURE_BYTES = 8;
/** The bytes of a chunk's length, type and checksum. */
const CHUNK_FRAME_BYTES = 12;
const TEXT_CHUNKS = new Set([0x74455874, 0x7a545874, 0x69545874]);

/**
 * Opens a PNG without its text chunks. libpng would inflate all text chunks before the image, and
 * one megabyte of text chunks can inflate to gigabytes.
 *
 * @throws ImageCorrupt as {@link openWithSharp} does
 */
export function openPng(bytes: Uint8Array): Promise<OpenImage> {
  return openWithSharp(withoutTextChunks(bytes));
}

/** Returns the file without its text chunks, or the same array if it has none. */
export function withoutTextChunks(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept: Uint8Array[] = [];
  let from = 0;
  let at = SIGNATURE_BYTES;
  while (at + CHUNK_FRAME_BYTES <= bytes.length) {
    const end = at + CHUNK_FRAME_BYTES + view.getUint32(at);
    if (TEXT_CHUNKS.has(view.getUint32(at + 4))) {
      kept.push(bytes.subarray(from, at));
      from = end;
    }
    at = end;
  }
  return kept.length === 0 ? bytes : Buffer.concat([...kept, bytes.subarray(from)]);
}
