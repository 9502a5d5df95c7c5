import { ImageTooLarge } from '@sightline/core/sources/image-errors';
import { openWithSharp } from './decode-sharp.ts';
import { jpegSegments, START_OF_SCAN } from './jpeg-segments.ts';
import type { OpenImage } from './open-image.ts';

/** The maximum number of scans that are accepted. Progressive encoders write about ten scans. */
const MAX_SCANS = 100;

/**
 * Opens a JPEG or the first image of a file with several images. The number of scans is limited
 * because each scan of a progressive JPEG updates the whole image and may be only a few bytes long.
 * Without the limit, a small file keeps the decoder busy for a minute, in a call that cannot be
 * interrupted.
 *
 * @throws ImageCorrupt as {@link openWithSharp} does; ImageTooLarge for too many scans
 */
export async function openJpeg(bytes: Uint8Array): Promise<OpenImage> {
  let scans = 0;
  for (const { marker } of jpegSegments(bytes)) {
    if (marker === START_OF_SCAN) scans += 1;
    if (scans > MAX_SCANS) throw new ImageTooLarge(`The JPEG has more than ${MAX_SCANS} scans.`);
  }
  return openWithSharp(bytes);
}
