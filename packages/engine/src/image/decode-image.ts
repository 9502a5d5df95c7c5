import { ImageTooLarge } from '@sightline/core/sources/image-errors';
import type { ImageFormat } from '@sightline/core/sources/image-format';
import type { ImageLimits } from '@sightline/core/sources/image-limits';
import { openAvif } from './decode-avif.ts';
import { openBmp } from './decode-bmp.ts';
import { openGif } from './decode-gif.ts';
import { openHeic } from './decode-heic.ts';
import { openJpeg } from './decode-jpeg.ts';
import { openPng } from './decode-png.ts';
import { openTiff } from './decode-tiff.ts';
import { openWebp } from './decode-webp.ts';
import type { OpenImage } from './open-image.ts';
import type { PixelBudget } from './pixel-budget.ts';
import { pixelsWithin } from './pixel-limit.ts';
import { freePixels, type Raster } from './raster.ts';
import { sniffFormat } from './sniff-format.ts';

/**
 * A decoded image. Disposal frees the pixels and returns them to the budget: `using image = await
 * decodeImage(…)`. The raster is empty afterwards, so no encoder may read it after disposal.
 */
export interface DecodedImage extends Disposable {
  readonly format: ImageFormat;
  readonly raster: Raster;
}

export interface DecodeOptions {
  readonly limits: Pick<ImageLimits, 'maxBytes' | 'maxPixels'>;
  readonly budget: PixelBudget;
  readonly signal?: AbortSignal;
}

/**
 * Decodes an image of one of the supported formats into an upright 8-bit sRGB raster. Flattens
 * alpha onto white and uses the first of several frames or pages. Checks the limits before it
 * allocates memory: first the byte count, then the pixel count in the header. After the checks, it
 * waits for its share of the budget of pixels in flight.
 *
 * @throws UnsupportedFormat, ImageTooLarge or ImageCorrupt; on abort, the signal's reason
 */
export async function decodeImage(
  bytes: Uint8Array,
  { limits, budget, signal }: DecodeOptions,
): Promise<DecodedImage> {
  signal?.throwIfAborted();
  if (bytes.byteLength > limits.maxBytes) {
    throw new ImageTooLarge(`The image has more than ${limits.maxBytes} bytes.`, {
      bytes: bytes.byteLength,
      max_bytes: limits.maxBytes,
    });
  }
  const format = sniffFormat(bytes);
  const image = await open(format, bytes, limits.maxPixels);
  const pixels = pixelsWithin(limits.maxPixels, image);
  const reservation = await budget.acquire(Math.max(pixels, image.cost ?? 0), signal);
  try {
    const raster = await image.decode();
    reservation.shrinkTo(pixels);
    const dispose = (): void => {
      freePixels(raster);
      reservation[Symbol.dispose]();
    };
    const decoded = { format, raster, [Symbol.dispose]: dispose };
    if (signal?.aborted === true) decoded[Symbol.dispose]();
    signal?.throwIfAborted();
    return decoded;
  } catch (error) {
    reservation[Symbol.dispose]();
    throw error;
  }
}

async function open(format: ImageFormat, bytes: Uint8Array, maxPixels: number): Promise<OpenImage> {
  switch (format) {
    case 'heic':
      return openHeic(bytes, maxPixels);
    case 'bmp':
      return openBmp(bytes);
    case 'jpeg':
    case 'mpo':
      return openJpeg(bytes, maxPixels);
    case 'png':
      return openPng(bytes, maxPixels);
    case 'webp':
      return openWebp(bytes, maxPixels);
    case 'gif':
      return openGif(bytes);
    case 'avif':
      return openAvif(bytes, maxPixels);
    case 'tiff':
      return openTiff(bytes, maxPixels);
  }
}
