import { digestOfMediaKey } from '@sightline/core/media/media-key';

export function cropUrl(detectionId: number, cropKey: string): string {
  return `/media/crops/${detectionId}/${digestOfMediaKey(cropKey)}.jpg`;
}

export function sourceUrl(sourceImageId: number, mediaKey: string): string {
  return `/media/sources/${sourceImageId}/${digestOfMediaKey(mediaKey)}.jpg`;
}
