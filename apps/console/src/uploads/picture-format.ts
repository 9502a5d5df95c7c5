/** The formats that the service accepts, by how their files begin. */
export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'bmp' | 'gif' | 'tiff' | 'heif' | 'avif';

/** The number of bytes that tell the format of a file. */
export const HEAD_BYTES = 16;

const BRANDS: Readonly<Record<string, PictureFormat>> = {
  avif: 'avif',
  avis: 'avif',
  heic: 'heif',
  heix: 'heif',
  heim: 'heif',
  heis: 'heif',
  hevc: 'heif',
  mif1: 'heif',
  msf1: 'heif',
};

const BEGINNINGS: readonly (readonly [string, PictureFormat])[] = [
  ['\xff\xd8\xff', 'jpeg'],
  ['\x89PNG\r\n\x1a\n', 'png'],
  ['BM', 'bmp'],
  ['GIF87a', 'gif'],
  ['GIF89a', 'gif'],
  ['II*\0', 'tiff'],
  ['MM\0*', 'tiff'],
];

/**
 * The format of a picture; null if the file is none. MPO files begin as JPEG files do.
 *
 * @param head the first bytes of the file, `HEAD_BYTES` or fewer
 */
export function pictureFormat(head: Uint8Array): PictureFormat | null {
  const text = String.fromCharCode(...head);
  const brand = /^[^]{4}ftyp([^]{4})/.exec(text)?.[1];
  if (brand !== undefined) return BRANDS[brand] ?? null;
  if (/^RIFF[^]{4}WEBP/.test(text)) return 'webp';
  return BEGINNINGS.find(([beginning]) => text.startsWith(beginning))?.[1] ?? null;
}
