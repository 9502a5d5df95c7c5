import { openWithSharp, requireFewFrames } from './decode-sharp.ts';
import type { OpenImage } from './open-image.ts';

const FRAME_CHUNK = 'ANMF';

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

/**
 * Counts the name of the chunk wherever it stands: libwebp finds frames within frames, too, and by
 * chance the name is once in one of a hundred files of the largest size.
 */
function countFrames(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let frames = 0;
  for (let at = file.indexOf(FRAME_CHUNK); at !== -1; at = file.indexOf(FRAME_CHUNK, at + 4)) {
    frames += 1;
  }
  return frames;
}
