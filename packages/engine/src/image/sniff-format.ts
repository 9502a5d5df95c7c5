import type { ImageFormat } from '@sightline/core/sources/image-format';
import { UnsupportedFormat } from '@sightline/core/sources/image-errors';
import { APP2, jpegSegments, START_OF_SCAN } from './jpeg-segments.ts';

const HEVC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']);
const AV1_BRANDS = new Set(['avif', 'avis']);
/**
 * The HEIF brands that do not name a codec. The codec is nearly always HEVC, and the decoder
 * rejects other codecs.
 */
const GENERIC_HEIF_BRANDS = new Set(['mif1', 'msf1']);
/** The maximum number of brands that are read from an `ftyp` box. No writer lists this many. */
const MAX_BRANDS = 64;

/** The sizes of the known bitmap headers. The letters `BM` alone could be the start of a text. */
const BMP_HEADER_SIZES = new Set([12, 40, 52, 56, 64, 108, 124]);

/**
 * Detects the format by the first bytes of a file, never by its name. A JPEG with further images
 * (MPF segment, CIPA DC-007) is `mpo`. HEIF variants are distinguished by the brands of the `ftyp`
 * box (ISO/IEC 23008-12), the major brand first.
 *
 * @throws UnsupportedFormat for everything else, including SVG and PDF
 */
export function sniffFormat(bytes: Uint8Array): ImageFormat {
  const format = byMagic(bytes) ?? byBrands(bytes);
  if (format === null) {
    throw new UnsupportedFormat('The file is not in a supported image format.');
  }
  return format;
}

function byMagic(bytes: Uint8Array): ImageFormat | null {
  if (matches(bytes, 0, '\xff\xd8\xff')) return hasFurtherPictures(bytes) ? 'mpo' : 'jpeg';
  if (matches(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'png';
  if (matches(bytes, 0, 'GIF87a') || matches(bytes, 0, 'GIF89a')) return 'gif';
  if (matches(bytes, 0, 'RIFF') && matches(bytes, 8, 'WEBP')) return 'webp';
  if (isTiff(bytes)) return 'tiff';
  return isBmp(bytes) ? 'bmp' : null;
}

function isTiff(bytes: Uint8Array): boolean {
  return ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'].some((magic) => matches(bytes, 0, magic));
}

function isBmp(bytes: Uint8Array): boolean {
  if (!matches(bytes, 0, 'BM') || bytes.length < 18) return false;
  return BMP_HEADER_SIZES.has(viewOf(bytes).getUint32(14, true));
}

/** Searches for the multi-picture index before the first scan. */
function hasFurtherPictures(bytes: Uint8Array): boolean {
  for (const { marker, payload } of jpegSegments(bytes)) {
    if (marker === START_OF_SCAN) return false;
    if (marker === APP2 && matches(bytes, payload, 'MPF\0')) return true;
  }
  return false;
}

function byBrands(bytes: Uint8Array): ImageFormat | null {
  if (!matches(bytes, 4, 'ftyp')) return null;
  const end = Math.min(bytes.length, viewOf(bytes).getUint32(0), 16 + 4 * MAX_BRANDS);
  const brands = [8, ...range(16, end, 4)].map((at) => text(bytes, at, 4));
  const named = brands.find((brand) => HEVC_BRANDS.has(brand) || AV1_BRANDS.has(brand));
  if (named !== undefined) return AV1_BRANDS.has(named) ? 'avif' : 'heic';
  return brands.some((brand) => GENERIC_HEIF_BRANDS.has(brand)) ? 'heic' : null;
}

function range(start: number, end: number, step: number): number[] {
  const count = Math.max(0, Math.floor((end - start) / step));
  return Array.from({ length: count }, (_, i) => start + i * step);
}

function matches(bytes: Uint8Array, at: number, magic: string): boolean {
  return text(bytes, at, magic.length) === magic;
}

function text(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
