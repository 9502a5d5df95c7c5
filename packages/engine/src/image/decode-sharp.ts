import {
  ImageCorrupt,
  ImageTooLarge,
  UnsupportedFormat,
} from '@sightline/core/sources/image-errors';
import type { OpenImage } from './open-image.ts';
import type { Raster } from './raster.ts';
import { sharp } from './sharp.ts';

/** Frames or pages of one file. Only the first is decoded, but the header names them all. */
const MAX_FRAMES = 10_000;

/**
 * Opens what libvips reads: JPEG, PNG, WEBP, GIF, TIFF and AVIF.
 *
 * A picture without an ICC profile keeps its values: 8-bit RGB as stored, grey repeated, 16 bits cut
 * to the upper 8, CMYK through a general press profile. JPEG is decoded as libjpeg-turbo does by
 * default (accurate integer DCT, smooth chroma upsampling). An embedded profile is converted to sRGB.
 *
 * @throws ImageCorrupt if the header does not parse; ImageTooLarge for too many frames;
 *   UnsupportedFormat for channels that are not of 8 or 16 bits (TIFF: signed, 32 bits, floating point)
 */
export async function openWithSharp(bytes: Uint8Array): Promise<OpenImage> {
  const image = sharp(bytes, {
    autoOrient: true,
    // Truncated and damaged data fail; the harmless oddities of old cameras ("warning") do not.
    failOn: 'error',
    // The caller compares the header with its limit, to say the size in its own error.
    limitInputPixels: false,
    sequentialRead: true,
  });
  const { width, height, depth, pages = 1 } = await orCorrupt(image.metadata());
  requireFewFrames(pages);
  if (depth !== 'uchar' && depth !== 'ushort') {
    throw new UnsupportedFormat('Only channels of 8 or 16 bits without sign are accepted.');
  }
  return { width, height, decode: () => decode(image) };
}

/** @throws ImageTooLarge for more frames or pages than the decoders are to look at */
export function requireFewFrames(frames: number): void {
  if (frames <= MAX_FRAMES) return;
  throw new ImageTooLarge(`The image has more than ${MAX_FRAMES} frames.`, { frames });
}

async function decode(image: ReturnType<typeof sharp>): Promise<Raster> {
  const flat = image.flatten({ background: '#ffffff' }).toColourspace('srgb');
  // Not toUint8Array: the memory behind that is never freed (sharp 0.35.5).
  const raw = flat.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  const { data, info } = await orCorrupt(raw);
  if (info.channels !== 3) throw new ImageCorrupt('The image has no RGB picture.');
  return { data, width: info.width, height: info.height };
}

async function orCorrupt<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (cause) {
    throw new ImageCorrupt('The image is damaged or incomplete.', {}, { cause });
  }
}
