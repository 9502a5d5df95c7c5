import { openWithSharp, limitFrames } from './decode-sharp.ts';
import type { OpenImage } from './open-image.ts';
import { pixelsWithin } from './pixel-limit.ts';

const FRAME_CHUNK = 'ANMF';
/** The first chunk of a file with a canvas, and the position of the canvas's size in the file. */
const [CANVAS_CHUNK, FIRST_CHUNK_AT, CANVAS_AT] = ['VP8X', 12, 24];

/**
 * Opens a WEBP or the first frame of an animation. Counts the frames before libwebp parses them,
 * because libwebp's time grows with the square of their number and is minutes for a file full of
 * tiny frames.
 *
 * @throws ImageCorrupt as {@link openWithSharp} does; ImageTooLarge for too many frames or pixels
 */
export async function openWebp(bytes: Uint8Array, maxPixels: number): Promise<OpenImage> {
  pixelsWithin(maxPixels, canvasOf(bytes));
  limitFrames(countFrames(bytes));
  return openWithSharp(bytes);
}

/** Returns the size of the canvas; 0 if the file has none, because its image has at most 16,384 pixels on a side. */
function canvasOf(bytes: Uint8Array): Pick<OpenImage, 'width' | 'height'> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const has = file.toString('latin1', FIRST_CHUNK_AT, FIRST_CHUNK_AT + 4) === CANVAS_CHUNK;
  if (!has || file.length < CANVAS_AT + 6) return { width: 0, height: 0 };
  return {
    width: 1 + file.readUIntLE(CANVAS_AT, 3),
    height: 1 + file.readUIntLE(CANVAS_AT + 3, 3),
  };
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
