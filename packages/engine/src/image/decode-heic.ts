import { openWithSharp } from './decode-sharp.ts';
import { HeifImage } from './heif-image.ts';
import type { OpenImage } from './open-image.ts';
import type { Raster } from './raster.ts';
import { layOutTiff } from './uncompressed-tiff.ts';

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
  const image = new HeifImage(bytes, maxPixels);
  return { width: image.width, height: image.height, decode: () => decode(image) };
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
