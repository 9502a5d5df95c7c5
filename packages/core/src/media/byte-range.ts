/**
 * A part of an object, as in an HTTP range (RFC 9110, 14.1.2): from the first to the last byte,
 * both included, or a number of bytes at the end. A part that lies beyond the end of the object is
 * left out.
 */
export type ByteRange =
  { readonly first: number; readonly last?: number | undefined } | { readonly lastBytes: number };

/**
 * The first byte of a range of an object of that size, and the byte after its last; equal if the range
 * is empty.
 */
export function boundsOf(
  range: ByteRange | undefined,
  size: number,
): { readonly start: number; readonly end: number } {
  if (range === undefined) return { start: 0, end: size };
  if ('lastBytes' in range) return { start: Math.max(0, size - range.lastBytes), end: size };
  const { first, last = Infinity } = range;
  return { start: Math.min(first, size), end: Math.min(last + 1, size) };
}

/** @throws RangeError for bounds that are not whole numbers in order, from 0 on */
export function requireRange(range: ByteRange): void {
  const bounds =
    'lastBytes' in range ? [range.lastBytes] : [range.first, range.last ?? range.first];
  const [least = 0, most = least] = bounds;
  if (bounds.every(Number.isSafeInteger) && least >= 0 && most >= least) return;
  throw new RangeError(`${bounds.join(' to ')} is not a range of bytes.`);
}
