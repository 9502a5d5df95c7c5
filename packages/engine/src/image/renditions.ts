import type { BoundingBox } from '@sightline/core/analysis/geometry';
import type { JpegRendition, RenditionOptions } from '@sightline/core/analysis/image-analyzer';
import type { Raster } from './raster.ts';
import { sharp } from './sharp.ts';

type Pipeline = ReturnType<typeof sharp>;

/**
 * Encodes the picture to store: as JPEG, at most `maxSize` pixels on its longer side (Lanczos),
 * never enlarged.
 */
export function encodeSource(
  raster: Raster,
  options: RenditionOptions['source'],
): Promise<JpegRendition> {
  const { maxSize, quality } = options;
  const image = pipelineOf(raster);
  const fits = Math.max(raster.width, raster.height) <= maxSize;
  const sized = fits ? image : image.resize({ width: maxSize, height: maxSize, fit: 'inside' });
  return encode(sized, quality);
}

/**
 * Cuts a box out of the picture and encodes it as JPEG. The box grows by `padding` times its width
 * on the left and right and times its height above and below; its edges are then rounded outwards to
 * whole pixels and clamped to the picture. A box that lies outside gives the nearest pixel.
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

/** First pixel and number of pixels of a padded, clamped span. */
function span(
  start: number,
  length: number,
  { padding, size }: { padding: number; size: number },
): [start: number, length: number] {
  const first = clamp(Math.floor(start - padding * length), size - 1);
  const end = clamp(Math.ceil(start + length + padding * length), size);
  return [first, Math.max(1, end - first)];
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}

/** libvips reads the raster where it lies. */
function pipelineOf({ data, width, height }: Raster): Pipeline {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/**
 * Code tables fitted to each picture would save a twentieth of the bytes, but for them libjpeg keeps
 * a whole picture's coefficients: with many large crops at once that is a gigabyte, and twice the
 * time. The pixels are the same.
 *
 * The JPEG is copied to a buffer of its own: sharp's cannot be transferred to another thread.
 */
async function encode(image: Pipeline, quality: number): Promise<JpegRendition> {
  const { data, info } = await image
    .jpeg({ quality, optimiseCoding: false })
    .toBuffer({ resolveWithObject: true });
  return { jpeg: new Uint8Array(data), width: info.width, height: info.height };
}
