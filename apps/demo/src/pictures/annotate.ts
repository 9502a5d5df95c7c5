import { sharp } from './sharp.ts';
import type { Finding } from './finding.ts';
import { overlay, type Size, textSize, writeTexts } from './overlay.ts';

const QUALITY = 88;

/**
 * A picture with what was found in it, as JPEG.
 *
 * @param picture an upright JPEG or PNG, at most as large as the original
 * @param original the size that the boxes are measured in
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
  const texts = await writeTexts(scaled, textSize({ width, height }));
  const drawn = Buffer.from(overlay(texts, { width, height }));
  return sharp(picture)
    .composite([{ input: drawn }])
    .jpeg({ quality: QUALITY, mozjpeg: true })
    .toBuffer();
}

/** A drawing as JPEG. */
export async function rendered(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  const jpeg = await sharp(Buffer.from(svg)).flatten().jpeg({ quality: QUALITY }).toBuffer();
  return new Uint8Array(jpeg);
}
