import { digestOfMediaKey } from '@sightline/core/media/media-key';

/** The path of the crop of a detection. */
export function cropUrl(detectionId: number, cropKey: string): string {
  return `/media/crops/${detectionId}/${digestOfMediaKey(cropKey)}.jpg`;
}

/** The path of the stored JPEG of a source image. */
export function sourceUrl(sourceImageId: number, mediaKey: string): string {
  return `/media/sources/${sourceImageId}/${digestOfMediaKey(mediaKey)}.jpg`;
}
