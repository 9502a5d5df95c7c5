import { digestOf } from '@sightline/core/media/digest-of';
import { ImageCorrupt, ImageTooLarge } from '@sightline/core/sources/image-errors';
import { openWithSharp } from './decode-sharp.ts';
import { JpegFrame } from './jpeg-frame.ts';
import { jpegSegments, START_OF_SCAN } from './jpeg-segments.ts';
import type { OpenImage } from './open-image.ts';
import { pixelsWithin } from './pixel-limit.ts';
import { freePixels } from './raster.ts';

/** The maximum number of scans that are accepted. Progressive encoders write about ten scans. */
const MAX_SCANS = 100;
const MARKER = 0xff;
const END_OF_IMAGE = 0xd9;
/** Bytes that a decoder takes for data of a scan. */
const FILLING = 0xaa;
const FILLING_BYTES = 64;

/**
 * Opens a JPEG or the first image of a file with several images. The number of scans is limited
 * because each scan of a progressive JPEG updates the whole image and may be only a few bytes long.
 * Without the limit, a small file keeps the decoder busy for a minute, in a call that cannot be
 * interrupted.
 *
 * A JPEG that lacks only the marker at its end, or half of it, is accepted; see {@link openWithoutEnd}.
 *
 * @throws UnsupportedFormat with the variant's name; ImageTooLarge for too many scans or pixels; ImageCorrupt as
 *   {@link openWithSharp} does
 */
export async function openJpeg(bytes: Uint8Array, maxPixels: number): Promise<OpenImage> {
  let scans = 0;
  let frame: JpegFrame | null = null;
  const segments = jpegSegments(bytes);
  let step = segments.next();
  for (; step.done !== true; step = segments.next()) {
    const { marker, payload } = step.value;
    if (frame === null && JpegFrame.isFrame(marker)) {
      frame = new JpegFrame(marker, bytes.subarray(payload));
      pixelsWithin(maxPixels, frame);
    }
    if (marker !== START_OF_SCAN) continue;
    scans += 1;
    if (scans > MAX_SCANS) throw new ImageTooLarge(`The JPEG has more than ${MAX_SCANS} scans.`);
    frame?.addScan(bytes.subarray(payload));
  }
  const hasEnd = step.value;
  if (hasEnd || frame?.isComplete !== true) return openWithSharp(bytes);
  return openWithoutEnd(bytes);
}

/**
 * Opens a JPEG that lost the marker at its end. The decoder fills missing data of a scan with zeros and does not always
 * report that. So the image is decoded twice, with different bytes behind the file: if these change the pixels,
 * pixels are missing, too.
 */
async function openWithoutEnd(bytes: Uint8Array): Promise<OpenImage> {
  const data = bytes.at(-1) === MARKER ? bytes.subarray(0, -1) : bytes;
  const image = await openWithSharp(withEnd(data), { failOn: 'warning' });
  return {
    ...image,
    async decode() {
      const filled = await openWithSharp(
        withEnd(data, new Uint8Array(FILLING_BYTES).fill(FILLING)),
      );
      // The digest takes the place of the pixels, so that only one raster is in memory.
      const other = await filled.decode();
      const digest = digestOf(other.data);
      freePixels(other);
      const raster = await image.decode();
      if (digestOf(raster.data) === digest) return raster;
      freePixels(raster);
      throw new ImageCorrupt('The image is damaged or incomplete.');
    },
  };
}

function withEnd(data: Uint8Array, filling = new Uint8Array()): Uint8Array {
  return Buffer.concat([data, filling, Uint8Array.of(MARKER, END_OF_IMAGE)]);
}
