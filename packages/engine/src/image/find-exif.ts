import type { ImageFormat } from '@sightline/core/sources/image-format';
import { exifItem } from './heif-items.ts';
import { APP1, jpegSegments, START_OF_SCAN } from './jpeg-segments.ts';

const PREFIX = Buffer.from('Exif\0\0', 'latin1');
const PNG_CHUNKS_AT = 8;
const WEBP_CHUNKS_AT = 12;

/**
 * Returns the EXIF data of an image in the form of a TIFF file, or null if there is none. The image is not trusted, so
 * the data may be damaged.
 */
export function findExif(format: ImageFormat, bytes: Uint8Array): Uint8Array | null {
  switch (format) {
    case 'jpeg':
    case 'mpo':
      return inJpeg(bytes);
    case 'png':
      return inPng(bytes);
    case 'webp':
      return inWebp(bytes);
    case 'heic':
    case 'avif':
      return exifItem(bytes);
    case 'tiff':
      return bytes;
    case 'bmp':
    case 'gif':
      return null;
  }
}

function inJpeg(bytes: Uint8Array): Uint8Array | null {
  for (const { marker, payload } of jpegSegments(bytes)) {
    if (marker === START_OF_SCAN) return null;
    if (marker !== APP1) continue;
    const content = bytes.subarray(
      payload,
      payload - 2 + (bytes[payload - 2]! << 8) + bytes[payload - 1]!,
    );
    if (hasPrefix(content)) return content.subarray(PREFIX.length);
  }
  return null;
}

function inPng(bytes: Uint8Array): Uint8Array | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = PNG_CHUNKS_AT; at + 8 <= bytes.length;) {
    const length = view.getUint32(at);
    if (nameAt(bytes, at + 4) === 'eXIf') return bytes.subarray(at + 8, at + 8 + length);
    // A chunk ends with a checksum of four bytes.
    at += 8 + length + 4;
  }
  return null;
}

function inWebp(bytes: Uint8Array): Uint8Array | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = WEBP_CHUNKS_AT; at + 8 <= bytes.length;) {
    const length = view.getUint32(at + 4, true);
    if (nameAt(bytes, at) === 'EXIF') {
      const content = bytes.subarray(at + 8, at + 8 + length);
      // Some writers repeat the prefix that the data has in a JPEG.
      return hasPrefix(content) ? content.subarray(PREFIX.length) : content;
    }
    at += 8 + length + (length % 2);
  }
  return null;
}

function hasPrefix(bytes: Uint8Array): boolean {
  return PREFIX.equals(bytes.subarray(0, PREFIX.length));
}

function nameAt(bytes: Uint8Array, at: number): string {
  return Buffer.from(bytes.subarray(at, at + 4)).toString('latin1');
}
