import type { ByteRange } from '@sightline/core/media/media-store';

const FROM = /^bytes=(\d{1,15})-(\d{0,15})$/i;
const LAST_BYTES = /^bytes=-(\d{1,15})$/i;

/**
 * The part of a file of `size` bytes that a Range header asks for. Null: the whole file, as for a
 * header that is not understood or asks for several parts (RFC 9110, 14.2). `unsatisfiable`: nothing
 * of the file lies in it.
 */
export function parseRange(header = '', size: number): ByteRange | null | 'unsatisfiable' {
  const asked = askedRange(header, size);
  if (asked === null || asked.last < asked.first) return null;
  if (asked.first >= size) return 'unsatisfiable';
  return { first: asked.first, last: Math.min(asked.last, size - 1) };
}

/** As the header says it, whatever the size of the file. */
function askedRange(header: string, size: number): ByteRange | null {
  const [, first, last] = FROM.exec(header) ?? [];
  if (first !== undefined) return { first: Number(first), last: last ? Number(last) : Infinity };
  const [, count] = LAST_BYTES.exec(header) ?? [];
  return count === undefined ? null : { first: Math.max(0, size - Number(count)), last: Infinity };
}
