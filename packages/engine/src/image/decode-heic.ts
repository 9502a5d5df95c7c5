import { UnsupportedFormat } from '@sightline/core/sources/image-errors';
import { collectGarbage } from '@sightline/platform/process/collect-garbage';
import { openWithSharp } from './decode-sharp.ts';
import { freeBuffer } from './free-buffer.ts';
import { HeifImage } from './heif-image.ts';
import { heifCost } from './heif-cost.ts';
import { itemTypes, refuseOverlays } from './heif-items.ts';
import type { OpenImage } from './open-image.ts';
import { pixelsWithin } from './pixel-limit.ts';
import type { Raster } from './raster.ts';
import { layOutTiff } from './uncompressed-tiff.ts';

const HEVC = 'hvc1';
/** The codecs of HEIF images that the decoder does not support, by the types of their items. */
const OTHER_CODECS = new Map([
  ['avc1', 'AVC'],
  ['avc3', 'AVC'],
  ['evc1', 'EVC'],
  ['j2k1', 'JPEG 2000'],
  ['jpeg', 'JPEG'],
  ['jxs1', 'JPEG XS'],
  ['unci', 'uncompressed form'],
  ['vvc1', 'VVC'],
]);

/**
 * Opens the primary image of a HEIF file with HEVC images. The result has 8 bits per channel
 * (further bits are truncated) and is rotated and cropped as the file specifies. The EXIF
 * orientation is not applied, because it only repeats the rotation (ISO/IEC 23008-12). Wide-gamut
 * images without an ICC profile are treated as sRGB.
 *
 * @param maxPixels limit for every image in the file
 * @throws ImageCorrupt; UnsupportedFormat for another codec and for overlays; ImageTooLarge
 */
export function openHeic(bytes: Uint8Array, maxPixels: number): OpenImage {
  requireHevc(bytes);
  try {
    return openWithin(bytes, maxPixels);
  } catch (error) {
    collectGarbage();
    throw error;
  }
}

function openWithin(bytes: Uint8Array, maxPixels: number): OpenImage {
  const cost = heifCost(bytes, maxPixels);
  const image = new HeifImage(bytes, maxPixels);
  pixelsWithin(maxPixels, image);
  return { width: image.width, height: image.height, cost, decode: () => decode(image) };
}

/**
 * Refuses a file with overlays, and one none of whose images is in HEVC. A file in HEVC may contain a thumbnail in another
 * codec.
 */
function requireHevc(bytes: Uint8Array): void {
  const types = itemTypes(bytes);
  refuseOverlays(types);
  const other = types.map((type) => OTHER_CODECS.get(type)).find((codec) => codec !== undefined);
  if (other === undefined || types.includes(HEVC)) return;
  throw new UnsupportedFormat(`HEIF images in ${other} are not supported.`);
}

async function decode(image: HeifImage): Promise<Raster> {
  const bytes = takeTiff(image);
  try {
    const tiff = await openWithSharp(bytes);
    return await tiff.decode();
  } finally {
    freeBuffer(bytes);
  }
}

/**
 * Decodes the image into a TIFF file and frees the memory of the decoder, which is more than twice that of the pixels. The
 * collector might leave it until the analysis has ended.
 */
function takeTiff(image: HeifImage): Uint8Array {
  try {
    return toTiff(image);
  } finally {
    image[Symbol.dispose]();
    collectGarbage();
  }
}

function toTiff(heif: HeifImage): Uint8Array {
  const iccProfile = heif.colorProfile();
  const { rows, stride, width, height } = heif.decode();
  const channels = heif.hasAlpha ? 4 : 3;
  const { bytes, pixels } = layOutTiff({ width, height, channels, iccProfile });
  for (let y = 0; y < height; y++) {
    const row = rows.subarray(y * stride, y * stride + width * channels);
    pixels.set(row, y * width * channels);
  }
  return bytes;
}
