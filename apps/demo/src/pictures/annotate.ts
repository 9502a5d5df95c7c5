import type { Finding } from './finding.ts';
import { overlay, type Size } from './overlay.ts';
import { sharp } from './sharp.ts';

/**
 * Draws the boxes and texts of findings on a picture. The result is a JPEG.
 *
 * @param picture an upright JPEG or PNG, at most as large as the original
 * @param original the size of the original image; the boxes are in pixels of the original
 */
export async function annotate(
  picture: Uint8Array,
  original: Size,
  found: readonly Finding[],
): Promise<Uint8Array> {
  const { width, height } = await sharp(picture).metadata();
  const [sx, sy] = [width / original.width, height / original.height];
  const scaled = found.map(({ box, ...finding }) => ({
    ...finding,
    box: { x: box.x * sx, y: box.y * sy, w: box.w * sx, h: box.h * sy },
  }));
  const boxes = Buffer.from(await overlay(scaled, { width, height }));
  return sharp(picture)
    .composite([{ input: boxes }])
    .jpeg({ quality: 88, mozjpeg: true })
    .toBuffer();
}
