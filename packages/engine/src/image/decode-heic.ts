import { UnsupportedFormat } from '@sightline/core/sources/image-errors';
import { openWithSharp } from './decode-sharp.ts';
import { HeifImage } from './heif-image.ts';
import { itemTypes } from './heif-items.ts';
import type { OpenImage } from './open-image.ts';
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
 * @throws ImageCorrupt; UnsupportedFormat for another codec; ImageTooLarge
 */
export function openHeic(bytes: Uint8Array, maxPixels: number): OpenImage {
  requireHevc(bytes);
  const image = new HeifImage(bytes, maxPixels);
  return { width: image.width, height: image.height, decode: () => decode(image) };
}

/** Refuses a file none of whose images is in HEVC. A file in HEVC may contain a thumbnail in another codec. */
function requireHevc(bytes: Uint8Array): void {
  const types = itemTypes(bytes);
  const other = types.map((type) => OTHER_CODECS.get(type)).find((codec) => codec !== undefined);
  if (other === undefined || types.includes(HEVC)) return;
  throw new UnsupportedFormat(`HEIF images in ${other} are not supported.`);
}

async function decode(image: HeifImage): Promise<Raster> {
  const iccProfile = image.colorProfile();
  const { rows, stride, width, height } = image.decode();
  const channels = image.hasAlpha ? 4 : 3;
  const { bytes, pixels } = layOutTiff({ width, height, channels, iccProfile });
  for (let y = 0; y < height; y++) {
    const row = rows.subarray(y * stride, y * stride + width * channels);
    pixels.set(row, y * width * channels);
  }
  const tiff = await openWithSharp(bytes);
  return tiff.decode();
}
