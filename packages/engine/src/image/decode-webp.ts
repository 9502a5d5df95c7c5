import { openWithSharp, limitFrames } from './decode-sharp.ts';
import type { OpenImage } from './open-image.ts';

const FRAME_CHUNK = 'ANMF';

/**
 * Opens a WEBP; of an animation, the first frame. Frames are counted before libwebp parses them,
 * because its time grows with their square: minutes for a file full of tiny frames.
 *
 * @throws ImageCorrupt as {@link openWithSharp} does; ImageTooLarge for too many frames
 */
export async function openWebp(bytes: Uint8Array): Promise<OpenImage> {
  limitFrames(countFrames(bytes));
  return openWithSharp(bytes);
}

/**
 * Counts the chunk name at any position, because libwebp also finds frames nested in frames. By
 * chance the name occurs once in one of a hundred files of the maximum size.
 */
function countFrames(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let frames = 0;
  for (let at = file.indexOf(FRAME_CHUNK); at !== -1; at = file.indexOf(FRAME_CHUNK, at + 4)) {
    frames += 1;
  }
  return frames;
}
