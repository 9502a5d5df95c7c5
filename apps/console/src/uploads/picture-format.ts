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

/**
 * The format of a picture; null if the file is none. MPO files begin as JPEG files do.
 *
 * @param head the first bytes of the file, `HEAD_BYTES` or fewer
 */
export function pictureFormat(head: Uint8Array): PictureFormat | null {
  const text = String.fromCharCode(...head);
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  if (text.startsWith('BM')) return 'bmp';
  if (/^GIF8[79]a/.test(text)) return 'gif';
  if (text.startsWith('II*\0') || text.startsWith('MM\0*')) return 'tiff';
  return text.slice(4, 8) === 'ftyp' ? (BRANDS[text.slice(8, 12)] ?? null) : null;
}
