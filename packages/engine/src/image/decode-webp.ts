import { openWithSharp, requireFewFrames } from './decode-sharp.ts';
import type { OpenImage } from './open-image.ts';

const FIRST_CHUNK_AT = 12;
const CHUNK_HEADER_BYTES = 8;
const FRAME_CHUNK = 0x414e4d46; // ANMF

/**
 * Opens a WEBP, of an animation the first frame. The frames are counted before libwebp looks at
 * them, because it takes time that grows with their square: minutes for a file full of tiny ones.
 *
 * @throws ImageCorrupt as {@link openWithSharp} does; ImageTooLarge for too many frames
 */
export async function openWebp(bytes: Uint8Array): Promise<OpenImage> {
  requireFewFrames(countFrames(bytes));
  return openWithSharp(bytes);
}

function countFrames(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let frames = 0;
  let at = FIRST_CHUNK_AT;
  while (at + CHUNK_HEADER_BYTES <= bytes.length) {
    if (view.getUint32(at) === FRAME_CHUNK) frames += 1;
    const size = view.getUint32(at + 4, true);
    at += CHUNK_HEADER_BYTES + size + (size & 1);
  }
  return frames;
}
