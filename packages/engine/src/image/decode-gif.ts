import { ImageCorrupt } from '@sightline/core/sources/image-errors';
import { openWithSharp } from './decode-sharp.ts';
import type { OpenImage } from './open-image.ts';

const SCREEN_AT = 6;
const FLAGS_AT = 10;
const BLOCKS_AT = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;

/**
 * Opens a GIF or the first frame of an animation. Rejects a canvas or first frame with a width or
 * height of 0, because the decoder would enlarge such a canvas to the frame's size and draw such a
 * frame as an empty canvas.
 *
 * @throws ImageCorrupt if a width or height is 0, and as {@link openWithSharp} does; ImageTooLarge
 *   for too many frames
 */
export async function openGif(bytes: Uint8Array): Promise<OpenImage> {
  for (const at of [SCREEN_AT, firstFrame(bytes) + 5]) {
    if (isZero(bytes, at) || isZero(bytes, at + 2)) {
      throw new ImageCorrupt('The GIF has a width or height of 0.');
    }
  }
  return openWithSharp(bytes);
}

/**
 * Returns the offset of the first image descriptor, which follows the extensions. Without a
 * descriptor, the offset is beyond the end of the file.
 */
function firstFrame(bytes: Uint8Array): number {
  const flags = bytes[FLAGS_AT] ?? 0;
  const colors = flags & 0x80 ? 2 << (flags & 7) : 0;
  let at = BLOCKS_AT + 3 * colors;
  while (bytes[at] === EXTENSION) {
    at += 2;
    for (let size = bytes[at]; size; size = bytes[at]) at += 1 + size;
    at += 1;
  }
  return bytes[at] === IMAGE ? at : bytes.length;
}

function isZero(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0 && bytes[at + 1] === 0;
}
