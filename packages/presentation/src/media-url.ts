import { digestOfMediaKey } from '@sightline/core/media/media-key';

/** The URL path of a detection's crop. */
export function cropUrl(detectionId: number, cropKey: string): string {
  return `/media/crops/${detectionId}/${digestOfMediaKey(cropKey)}.jpg`;
}

/** The URL path of a source image's stored JPEG. */
export function sourceUrl(sourceImageId: number, mediaKey: string): string {
  return `/media/sources/${sourceImageId}/${digestOfMediaKey(mediaKey)}.jpg`;
}
