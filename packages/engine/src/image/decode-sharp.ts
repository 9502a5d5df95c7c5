import {
  ImageCorrupt,
  ImageTooLarge,
  UnsupportedFormat,
} from '@sightline/core/sources/image-errors';
import type { OpenImage } from './open-image.ts';
import type { Raster } from './raster.ts';
import { sharp } from './sharp.ts';
import { isSrgbProfile } from './srgb-profile.ts';

/** The maximum number of channels, which bounds the memory of the decoded image. */
export const MAX_CHANNELS = 8;

/**
 * The maximum number of frames or pages per file. Only the first frame is decoded, but libvips
 * reads the headers of all frames.
 */
const MAX_FRAMES = 10_000;

const OPTIONS = {
  autoOrient: true,
  // The level "error" rejects truncated and damaged data. The level "warning" would also reject the
  // harmless quirks of old cameras.
  failOn: 'error',
  // The caller checks the limit, so that its error can name the size.
  limitInputPixels: false,
  limitInputChannels: MAX_CHANNELS,
  sequentialRead: true,
} as const;

export interface SharpOptions {
  /** The level of libvips' messages at which the image counts as damaged; default: `error`. */
  readonly failOn?: 'error' | 'warning';
  /** Whether to keep the values as they are under an ICC profile; default: false. */
  readonly ignoreIcc?: boolean;
}

/** Decoded pixels with three channels of color and maybe further ones, interleaved. */
export interface Pixels extends Raster {
  readonly channels: number;
}

interface OpenPixels extends Pick<OpenImage, 'width' | 'height'> {
  /** @throws ImageCorrupt */
  decode(): Promise<Pixels>;
}

/**
 * Opens an image with libvips: JPEG, PNG, WEBP, GIF, TIFF and AVIF.
 *
 * An image without an ICC profile keeps its values: 8-bit RGB unchanged, gray repeated, 16 bits
 * truncated to the upper 8, CMYK converted with a generic press profile. JPEG is decoded with
 * libjpeg-turbo's defaults (accurate integer DCT, smooth chroma upsampling). Values under an
 * embedded profile are converted to sRGB. If the profile is that of sRGB, the conversion is skipped
 * because it would take as long as the decoding and change values only by rounding.
 *
 * @throws ImageCorrupt if the header does not parse; ImageTooLarge for too many frames;
 *   UnsupportedFormat unless channels have 8 or 16 unsigned bits (TIFF also supports signed, 32-bit
 *   and floating-point channels)
 */
export async function openWithSharp(
  bytes: Uint8Array,
  options: SharpOptions = {},
): Promise<OpenImage> {
  const { image, ...size } = await open(bytes, options);
  return {
    ...size,
    async decode() {
      const { channels, ...raster } = await pixelsOf(image.flatten({ background: '#ffffff' }));
      if (channels !== 3) throw new ImageCorrupt('The image cannot be converted to RGB.');
      return raster;
    },
  };
}

/** Opens like {@link openWithSharp}, but keeps the channels behind the colors. */
export async function openAllChannels(
  bytes: Uint8Array,
  options: SharpOptions,
): Promise<OpenPixels> {
  const { image, ...size } = await open(bytes, options);
  return { ...size, decode: () => pixelsOf(image) };
}

async function open(bytes: Uint8Array, options: SharpOptions) {
  const all = { ...OPTIONS, ...options };
  const image = sharp(bytes, all);
  const { width, height, depth, icc, pages = 1 } = await orCorrupt(image.metadata());
  limitFrames(pages);
  if (depth !== 'uchar' && depth !== 'ushort') {
    throw new UnsupportedFormat(
      'Only images with 8 or 16 unsigned bits per channel are supported.',
    );
  }
  // Only 8-bit images skip the conversion from an sRGB profile. With 16 bits, the conversion is needed, because
  // libvips applies the profile before it truncates the values to 8 bits.
  const ignoreIcc = icc !== undefined && depth === 'uchar' && isSrgbProfile(icc);
  return { width, height, image: ignoreIcc ? sharp(bytes, { ...all, ignoreIcc }) : image };
}

/** @throws ImageTooLarge for more frames or pages than the decoders should process */
export function limitFrames(frames: number): void {
  if (frames <= MAX_FRAMES) return;
  throw new ImageTooLarge(`The image has more than ${MAX_FRAMES} frames.`, { frames });
}

async function pixelsOf(image: ReturnType<typeof sharp>): Promise<Pixels> {
  // `toBuffer` is used instead of `toUint8Array`, because sharp 0.35.5 never frees the memory behind the result of
  // the latter.
  const raw = image
    .toColorspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { data, info } = await orCorrupt(raw);
  return { data, width: info.width, height: info.height, channels: info.channels };
}

async function orCorrupt<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (cause) {
    throw new ImageCorrupt('The image is damaged or incomplete.', {}, { cause });
  }
}
