import type { ImageFormat } from '@sightline/core/sources/image-format';
import { UnsupportedFormat } from '@sightline/core/sources/image-errors';
import { itemTypes } from './heif-items.ts';
import { APP2, jpegSegments, START_OF_SCAN } from './jpeg-segments.ts';

const HEVC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']);
const AV1_BRANDS = new Set(['avif', 'avis']);
/** The HEIF brands that name no codec, or one that the decoder refuses by its name. */
const GENERIC_HEIF_BRANDS = new Set([
  'mif1',
  'msf1',
  'mif2',
  'avci',
  'avcs',
  'j2ki',
  'jpeg',
  'vvic',
]);
/** The maximum number of brands that are read from an `ftyp` box. No writer lists this many. */
const MAX_BRANDS = 64;

/** The formats that users send by mistake most often, by how their files begin. Their names make the refusal clear. */
const OTHER_FORMATS: readonly (readonly [files: string, beginnings: readonly string[]])[] = [
  ['JPEG XL images', ['\0\0\0\x0cJXL ', '\xff\x0a']],
  ['JPEG 2000 images', ['\0\0\0\x0cjP  ', '\xff\x4f\xff\x51']],
  ['JPEG XR images', ['II\xbc']],
  ['Windows icons', ['\0\0\x01\0']],
  ['Photoshop files', ['8BPS']],
  ['PDF files', ['%PDF-']],
  ['SVG files', ['<svg']],
  // These vendors are Fujifilm, Olympus, Panasonic, Sigma and Minolta. The TIFF decoder refuses the files of others.
  ['Camera raw files', ['FUJIFILMCCD-RAW', 'IIRO', 'IIRS', 'MMOR', 'IIU\0', 'FOVb', '\0MRM']],
  ['Videos', ['\x1aE\xdf\xa3']],
  ['Compressed files', ['\x1f\x8b']],
  ['ZIP archives', ['PK\x03\x04']],
];

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
  if (format !== null) return format;
  const other = otherFormat(bytes);
  throw new UnsupportedFormat(
    other === undefined
      ? 'The file is not in a supported image format.'
      : `${other} are not supported.`,
  );
}

function otherFormat(bytes: Uint8Array): string | undefined {
  if (matches(bytes, 4, 'ftypcrx ')) return 'Camera raw files';
  if (matches(bytes, 4, 'ftyp')) return 'Videos and other files of the ISO base media format';
  const found = OTHER_FORMATS.find(([, beginnings]) =>
    beginnings.some((beginning) => matches(bytes, 0, beginning)),
  );
  return found?.[0];
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

/** Returns the format by the brands; a file with only generic brands is AVIF if its images are in AV1. */
function byBrands(bytes: Uint8Array): ImageFormat | null {
  if (!matches(bytes, 4, 'ftyp')) return null;
  const end = Math.min(bytes.length, viewOf(bytes).getUint32(0), 16 + 4 * MAX_BRANDS);
  const brands = [8, ...range(16, end, 4)].map((at) => text(bytes, at, 4));
  const named = brands.find((brand) => HEVC_BRANDS.has(brand) || AV1_BRANDS.has(brand));
  if (named !== undefined) return AV1_BRANDS.has(named) ? 'avif' : 'heic';
  if (!brands.some((brand) => GENERIC_HEIF_BRANDS.has(brand))) return null;
  const types = itemTypes(bytes);
  return types.includes('av01') && !types.includes('hvc1') ? 'avif' : 'heic';
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
