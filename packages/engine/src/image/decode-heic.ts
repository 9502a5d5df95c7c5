import { openWithSharp } from './decode-sharp.ts';
import { HeifPicture } from './heif-picture.ts';
import type { OpenImage } from './open-image.ts';
import type { Raster } from './raster.ts';
import { layOutTiff } from './uncompressed-tiff.ts';

/**
 * Opens a HEIF file with an HEVC picture: its primary picture, 8 bits (deeper ones cut), turned and
 * cropped as the file says. Its EXIF orientation is only a copy of that (ISO/IEC 23008-12) and is not
 * applied again. Wide-gamut pictures without an ICC profile are taken as sRGB.
 *
 * @param maxPixels the most that any picture in the file may have
 * @throws ImageCorrupt, UnsupportedFormat (another codec), ImageTooLarge
 */
export function openHeic(bytes: Uint8Array, maxPixels: number): OpenImage {
  const picture = new HeifPicture(bytes, maxPixels);
  return { width: picture.width, height: picture.height, decode: () => decode(picture) };
}

async function decode(picture: HeifPicture): Promise<Raster> {
  const iccProfile = picture.colourProfile();
  const { rows, stride, width, height } = picture.decode();
  const channels = picture.hasAlpha ? 4 : 3;
  const { bytes, pixels } = layOutTiff({ width, height, channels, iccProfile });
  for (let y = 0; y < height; y++) {
    const row = rows.subarray(y * stride, y * stride + width * channels);
    pixels.set(row, y * width * channels);
  }
  const tiff = await openWithSharp(bytes);
  return tiff.decode();
}
