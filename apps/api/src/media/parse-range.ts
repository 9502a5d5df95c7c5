import type { ByteRange } from '@sightline/core/media/media-store';

const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/**
 * The part of a file of `size` bytes that a Range header asks for. Null: the whole file, as for a
 * header that is not understood or asks for several parts (RFC 9110, 14.2). `unsatisfiable`: nothing
 * of the file lies in it.
 */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | null | 'unsatisfiable' {
  const match = ONE_RANGE.exec(header ?? '');
  if (match === null || match[0] === 'bytes=-') return null;
  const [, first = '', last = ''] = match;
  const range =
    first === ''
      ? { first: Math.max(0, size - Number(last)), last: size - 1 }
      : { first: Number(first), last: last === '' ? size - 1 : Number(last) };
  if (first !== '' && last !== '' && range.last < range.first) return null;
  if (range.first >= size) return 'unsatisfiable';
  return { first: range.first, last: Math.min(range.last, size - 1) };
}
