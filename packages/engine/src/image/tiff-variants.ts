import { UnsupportedFormat } from '@sightline/core/sources/image-errors';
import { MAX_CHANNELS } from './decode-sharp.ts';
import { TIFF_TAG, type TiffDirectories, type TiffDirectory } from './tiff-directory.ts';

export const PHOTOMETRIC = {
  whiteIsZero: 0,
  blackIsZero: 1,
  rgb: 2,
  palette: 3,
  mask: 4,
  inks: 5,
  ycbcr: 6,
  colorFilterArray: 32803,
  linearRaw: 34892,
} as const;

/** The number of color channels of each photometric interpretation that the decoder supports. */
const COLOR_CHANNELS: Readonly<Record<number, number>> = {
  [PHOTOMETRIC.whiteIsZero]: 1,
  [PHOTOMETRIC.blackIsZero]: 1,
  [PHOTOMETRIC.rgb]: 3,
  [PHOTOMETRIC.palette]: 1,
  [PHOTOMETRIC.inks]: 4,
  [PHOTOMETRIC.ycbcr]: 3,
};
const OTHER_PHOTOMETRICS: Readonly<Record<number, string>> = {
  [PHOTOMETRIC.mask]: 'of a transparency mask',
  8: 'in CIE L*a*b*',
  9: 'in ICC L*a*b*',
  10: 'in ITU L*a*b*',
  32844: 'in LogL',
  32845: 'in LogLuv',
  51177: 'of a depth map',
};

export const JPEG_COMPRESSION = 7;
export const PACK_BITS_COMPRESSION = 32773;
/** No compression, CCITT (three variants), LZW, JPEG, Deflate (two codes), PackBits and WebP. */
const COMPRESSIONS = new Set([
  1,
  2,
  3,
  4,
  5,
  JPEG_COMPRESSION,
  8,
  PACK_BITS_COMPRESSION,
  32946,
  50001,
]);
const OTHER_COMPRESSIONS: Readonly<Record<number, string>> = {
  6: 'old-style JPEG',
  9: 'JBIG',
  10: 'JBIG',
  32766: 'NeXT',
  32771: 'CCITT RLE by words',
  32809: 'ThunderScan',
  32908: 'PixarFilm',
  32909: 'PixarLog',
  34661: 'JBIG',
  34676: 'SGI Log',
  34677: 'SGI Log24',
  34712: 'JPEG 2000',
  34887: 'LERC',
  34892: 'lossy JPEG',
  34925: 'LZMA',
  34926: 'ZStandard',
  34933: 'PNG',
  34934: 'JPEG XR',
  50000: 'ZStandard',
  50002: 'JPEG XL',
  52546: 'JPEG XL',
};

export const UNSPECIFIED = 0;
const UNSIGNED = 1;
const UNDEFINED = 4;
const SEPARATE_PLANES = 2;
const CMYK = 1;
/** The layout of an image's pixels. */
export interface TiffLayout {
  readonly photometric: number;
  readonly compression: number;
  readonly bits: number;
  readonly channels: number;
  /** The meanings of the channels behind the colors: 0 is unspecified, 1 premultiplied and 2 straight alpha. */
  readonly extras: readonly number[];
  readonly inPlanes: boolean;
  readonly inTiles: boolean;
  /** Whether color values stand for several pixels. JPEG compression reverses that itself. */
  readonly subsampled: boolean;
}

/**
 * Reads the layout of the first image.
 *
 * @throws UnsupportedFormat with the variant's name for a valid file that the decoder cannot read, or would read wrongly
 */
export function readLayout({ first, nested, following }: TiffDirectories): TiffLayout {
  requirePicture(first, nested, following);
  const layout = layoutOf(first);
  requireColors(layout, first);
  requireCompression(layout);
  requireDepth(layout, first);
  if (layout.channels > MAX_CHANNELS) refuse(`with more than ${MAX_CHANNELS} channels`);
  if (layout.inPlanes && layout.channels > 1) requirePlanes(layout);
  return layout;
}

function layoutOf(first: TiffDirectory): TiffLayout {
  const photometric = first.number(TIFF_TAG.photometric, PHOTOMETRIC.blackIsZero);
  const compression = first.number(TIFF_TAG.compression, 1);
  const channels = first.number(TIFF_TAG.samplesPerPixel, 1);
  const extraCount = Math.max(0, channels - (COLOR_CHANNELS[photometric] ?? channels));
  const named = first.numbers(TIFF_TAG.extraSamples);
  const [across = 2, down = 2] = first.numbers(TIFF_TAG.chromaSubsampling);
  return {
    photometric,
    compression,
    bits: first.number(TIFF_TAG.bitsPerSample, 1),
    channels,
    extras: Array.from({ length: Math.min(extraCount, MAX_CHANNELS) }, (_, i) => named[i] ?? 0),
    inPlanes: first.number(TIFF_TAG.planarConfiguration, 1) === SEPARATE_PLANES,
    inTiles: first.has(TIFF_TAG.tileWidth),
    subsampled:
      photometric === PHOTOMETRIC.ycbcr && compression !== JPEG_COMPRESSION && across * down !== 1,
  };
}

/**
 * Refuses camera raw files, whose first image is a thumbnail or the sensor's values, and other files whose first image
 * is a thumbnail.
 */
function requirePicture(
  first: TiffDirectory,
  nested: readonly TiffDirectory[],
  following: readonly TiffDirectory[],
): void {
  if (first.has(TIFF_TAG.dngVersion)) {
    throw new UnsupportedFormat('Camera raw files (DNG) are not supported.');
  }
  if ([first, ...nested, ...following].some(isSensorData)) {
    throw new UnsupportedFormat('Camera raw files are not supported.');
  }
  const others = isReduced(first) ? [...nested, ...following] : nested;
  if (others.some((other) => areaOf(other) > areaOf(first))) {
    refuse('whose first image is a thumbnail of another one');
  }
}

function isSensorData(directory: TiffDirectory): boolean {
  const photometric = directory.number(TIFF_TAG.photometric, 0);
  return (
    photometric === PHOTOMETRIC.colorFilterArray ||
    photometric === PHOTOMETRIC.linearRaw ||
    directory.has(TIFF_TAG.colorFilterArray)
  );
}

function isReduced(directory: TiffDirectory): boolean {
  const flags = directory.number(TIFF_TAG.newSubfileType, 0);
  return (flags & 1) === 1 || directory.number(TIFF_TAG.subfileType, 1) === 2;
}

function areaOf(directory: TiffDirectory): number {
  return directory.number(TIFF_TAG.width, 0) * directory.number(TIFF_TAG.height, 0);
}

function requireColors(layout: TiffLayout, first: TiffDirectory): void {
  const { photometric, channels } = layout;
  const colors = COLOR_CHANNELS[photometric];
  if (colors === undefined) {
    refuse(OTHER_PHOTOMETRICS[photometric] ?? `with the photometric interpretation ${photometric}`);
  }
  if (photometric === PHOTOMETRIC.inks && first.number(TIFF_TAG.inkSet, CMYK) !== CMYK) {
    refuse('with other inks than CMYK');
  }
  if (channels < colors) refuse(`with ${channels} of ${colors} color channels`);
  if (photometric === PHOTOMETRIC.ycbcr && channels > colors)
    refuse('in YCbCr with further channels');
}

/** libvips reads separate planes of RGB, palette and CMYK in strips, and others wrongly. */
function requirePlanes({ photometric, inTiles }: TiffLayout): void {
  if (photometric <= PHOTOMETRIC.blackIsZero)
    refuse('in gray with further channels in separate planes');
  if (photometric === PHOTOMETRIC.ycbcr) refuse('in YCbCr in separate planes');
  if (inTiles) refuse('with tiles of separate planes');
}

function requireCompression({ compression }: TiffLayout): void {
  if (COMPRESSIONS.has(compression)) return;
  refuse(`with the compression ${OTHER_COMPRESSIONS[compression] ?? compression}`);
}

function requireDepth(layout: TiffLayout, first: TiffDirectory): void {
  const { bits, channels, photometric, extras } = layout;
  const depths = first.numbers(TIFF_TAG.bitsPerSample);
  if (depths.some((depth) => depth !== bits)) refuse('with channels of different depths');
  const formats = first.numbers(TIFF_TAG.sampleFormat);
  if (formats.some((format) => format !== UNSIGNED && format !== UNDEFINED)) {
    refuse('with signed or floating-point values');
  }
  const supported =
    photometric === PHOTOMETRIC.palette || photometric === PHOTOMETRIC.ycbcr ? [8] : [8, 16];
  const few = channels === 1 ? [1, 2, 4] : [];
  if (![...few, ...supported].includes(bits)) {
    refuse(`with ${bits} bits per channel`);
  }
  // libvips clips such alpha instead of scaling it, so that every pixel would be opaque.
  const hasAlpha = extras.some((extra) => extra !== UNSPECIFIED);
  if (photometric === PHOTOMETRIC.inks && bits === 16 && hasAlpha) {
    refuse('in CMYK with alpha and 16 bits per channel');
  }
}

function refuse(variant: string): never {
  throw new UnsupportedFormat(`TIFF images ${variant} are not supported.`);
}
