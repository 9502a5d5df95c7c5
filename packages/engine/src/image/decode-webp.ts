import { openWithSharp, limitFrames } from './decode-sharp.ts';
import type { OpenImage } from './open-image.ts';

const FRAME_CHUNK = 'ANMF';

/**
 * Opens a WEBP or the first frame of an animation. Counts the frames before libwebp parses them,
 * because libwebp's time grows with the square of their number and is minutes for a file full of
 * tiny frames.
 *
 * @throws ImageCorrupt as {@link openWithSharp} does; ImageTooLarge for too many frames
 */
export async function openWebp(bytes: Uint8Array): Promise<OpenImage> {
  limitFrames(countFrames(bytes));
  return openWithSharp(bytes);
}

/**
 * Counts occurrences of the chunk name at any position, because libwebp also finds frames nested in
 * frames. In files of the maximum size, one in a hundred contains the name once by chance, which is
 * far below the limit.
 */
function countFrames(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let frames = 0;
  for (let at = file.indexOf(FRAME_CHUNK); at !== -1; at = file.indexOf(FRAME_CHUNK, at + 4)) {
    frames += 1;
  }
  return frames;
}
