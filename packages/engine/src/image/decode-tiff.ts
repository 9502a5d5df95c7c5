import { UnsupportedFormat } from '@sightline/core/sources/image-errors';
import { openAllChannels, openWithSharp, type Pixels } from './decode-sharp.ts';
import type { OpenImage } from './open-image.ts';
import { pixelsWithin } from './pixel-limit.ts';
import { freePixels, type Raster } from './raster.ts';
import { splitAtRows } from './split-at-rows.ts';
import { readTiff, TIFF_TAG, type TiffDirectory } from './tiff-directory.ts';
import {
  JPEG_COMPRESSION,
  PACK_BITS_COMPRESSION,
  PHOTOMETRIC,
  readLayout,
  type TiffLayout,
  UNSPECIFIED,
} from './tiff-variants.ts';
import { layOutTiff } from './uncompressed-tiff.ts';
import { ycbcrToRgb } from './ycbcr-to-rgb.ts';

/** The signatures behind the header of raw files of Canon and Phase One. */
const RAW_SIGNATURES = ['CR', 'IIII', 'MMMM'];
const SIGNATURE_AT = 8;
const PREMULTIPLIED = 1;
const STRAIGHT = 2;

/**
 * Opens the first image of a TIFF. libvips reads most variants; this function refuses those that it cannot read, and
 * converts what it hands over unchanged: YCbCr, and channels that are neither color nor alpha.
 *
 * @throws UnsupportedFormat with the variant's name; ImageCorrupt and ImageTooLarge as {@link openWithSharp} does
 */
export async function openTiff(given: Uint8Array, maxPixels: number): Promise<OpenImage> {
  const signature = Buffer.from(given.subarray(SIGNATURE_AT, SIGNATURE_AT + 4)).toString('latin1');
  if (RAW_SIGNATURES.some((raw) => signature.startsWith(raw))) {
    throw new UnsupportedFormat('Camera raw files are not supported.');
  }
  const directories = readTiff(given);
  if (directories === null) return openWithSharp(given);
  const { first } = directories;
  const layout = readLayout(directories);
  const { photometric, compression, extras, inTiles, subsampled } = layout;
  pixelsWithin(maxPixels, {
    width: first.number(TIFF_TAG.width, 0),
    height: first.number(TIFF_TAG.height, 0),
  });
  const bytes = packedByRows(given, first, layout);
  // At the level "error", libvips replaces damaged or missing tiles by black.
  const options = { failOn: inTiles ? 'warning' : 'error' } as const;
  if (photometric === PHOTOMETRIC.ycbcr && compression !== JPEG_COMPRESSION && !subsampled) {
    const image = await openAllChannels(bytes, { ...options, ignoreIcc: true });
    return { ...image, decode: async () => fromYcbcr(await image.decode(), first) };
  }
  const alphaOnly = extras.length === 1 && extras[0] !== UNSPECIFIED;
  if (extras.length === 0 || alphaOnly) return openWithSharp(bytes, options);
  const image = await openAllChannels(bytes, options);
  return { ...image, decode: async () => onWhite(await image.decode(), extras) };
}

/** Returns the file, or a copy without PackBits runs that cross rows if it has such runs. */
function packedByRows(file: Uint8Array, first: TiffDirectory, layout: TiffLayout): Uint8Array {
  const { compression, bits, channels, inPlanes, inTiles, subsampled } = layout;
  const isReversed = first.number(TIFF_TAG.fillOrder, 1) !== 1;
  if (compression !== PACK_BITS_COMPRESSION || isReversed || inTiles || subsampled) return file;
  const height = first.number(TIFF_TAG.height, 0);
  const rows = Math.min(height, first.number(TIFF_TAG.rowsPerStrip, height));
  const samples = first.number(TIFF_TAG.width, 0) * (inPlanes ? 1 : channels);
  const rowBytes = Math.ceil((samples * bits) / 8);
  const strips = first.strips();
  const stripCount = Math.ceil(height / rows) * (inPlanes ? channels : 1);
  // Only a damaged file has empty rows or other strips.
  if (!(rowBytes >= 1) || strips.length !== stripCount) return file;
  const split = strips.map((strip) => splitAtRows(strip, { rowBytes, rows }));
  if (split.every((strip) => strip === null)) return file;
  return first.withStrips(strips.map((strip, i) => split[i] ?? strip));
}

/** Converts the values to RGB, and then from the color profile to sRGB if the file has one. */
async function fromYcbcr(pixels: Pixels, directory: TiffDirectory): Promise<Raster> {
  const { width, height } = pixels;
  const rgb = ycbcrToRgb(pixels.data, {
    weights: directory.numbers(TIFF_TAG.luminanceWeights),
    range: directory.numbers(TIFF_TAG.referenceBlackWhite),
  });
  freePixels(pixels);
  const iccProfile = directory.bytes(TIFF_TAG.iccProfile);
  if (iccProfile === null) return { data: rgb, width, height };
  const tiff = layOutTiff({ width, height, channels: 3, iccProfile });
  tiff.pixels.set(rgb);
  freePixels({ data: rgb, width, height });
  const converted = await openWithSharp(tiff.bytes);
  return converted.decode();
}

/** Blends the colors onto white by the first channel that is alpha, and drops the channels behind the colors. */
function onWhite(pixels: Pixels, extras: readonly number[]): Raster {
  const { data, width, height, channels } = pixels;
  const alphaAt = extras.findIndex((extra) => extra === STRAIGHT || extra === PREMULTIPLIED);
  const flat = new Uint8Array(3 * width * height);
  for (let from = 0, to = 0; to < flat.length; from += channels, to += 3) {
    const alpha = alphaAt === -1 ? 255 : data[from + 3 + alphaAt]!;
    for (let color = 0; color < 3; color++) {
      flat[to + color] = Math.round((data[from + color]! * alpha) / 255 + 255 - alpha);
    }
  }
  freePixels(pixels);
  return { data: flat, width, height };
}
