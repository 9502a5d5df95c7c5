import type { BoundingBox } from '@sightline/core/analysis/geometry';
import type { JpegRendition, RenditionOptions } from '@sightline/core/analysis/image-analyzer';
import type { Raster } from './raster.ts';
import { sharp } from './sharp.ts';

type Pipeline = ReturnType<typeof sharp>;

/**
 * Encodes the image to store as JPEG. The longer side gets at most `maxSize` pixels (Lanczos), and
 * images are never enlarged.
 */
export function encodeSource(
  raster: Raster,
  options: NonNullable<RenditionOptions['source']>,
): Promise<JpegRendition> {
  const { maxSize, quality } = options;
  const image = pipelineOf(raster);
  const fits = Math.max(raster.width, raster.height) <= maxSize;
  const sized = fits ? image : image.resize({ width: maxSize, height: maxSize, fit: 'inside' });
  return encode(sized, quality);
}

/**
 * Crops a box and encodes the crop as JPEG. The box is padded by `padding` times its width on the
 * left and right, and by `padding` times its height above and below. The edges are then rounded
 * outwards to whole pixels and clamped to the image. A box outside the image yields the nearest
 * pixel.
 */
export function encodeCrop(
  raster: Raster,
  box: BoundingBox,
  options: RenditionOptions['crops'],
): Promise<JpegRendition> {
  const [left, width] = span(box.x, box.w, { padding: options.padding, size: raster.width });
  const [top, height] = span(box.y, box.h, { padding: options.padding, size: raster.height });
  return encode(pipelineOf(raster).extract({ left, top, width, height }), options.quality);
}

/** Returns the first pixel and the pixel count of a padded, clamped span. */
function span(
  start: number,
  length: number,
  { padding, size }: { padding: number; size: number },
): [start: number, length: number] {
  const first = clamp(Math.floor(start - padding * length), size - 1);
  const end = clamp(Math.ceil(start + length + padding * length), size);
  return [first, Math.max(1, end - first)];
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(value, 0), max);
}

/** Opens a raster, which libvips reads without a copy. */
function pipelineOf({ data, width, height }: Raster): Pipeline {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/**
 * Encodes as JPEG. Optimized Huffman tables would save a twentieth of the bytes without changing
 * the pixels, but libjpeg would then buffer the coefficients of the whole image. For many large
 * crops at once, the buffers take a gigabyte, and the encoding takes twice the time.
 *
 * The JPEG is copied to its own buffer, because sharp's buffer cannot be transferred to another
 * thread.
 */
async function encode(image: Pipeline, quality: number): Promise<JpegRendition> {
  const { data, info } = await image
    .jpeg({ quality, optimizeCoding: false })
    .toBuffer({ resolveWithObject: true });
  return { jpeg: new Uint8Array(data), width: info.width, height: info.height };
}
