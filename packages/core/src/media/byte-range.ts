/**
 * A range of bytes as in HTTP (RFC 9110, 14.1.2): from a first to a last byte, both inclusive, or a number of bytes at
 * the end. Bytes beyond the end of the object are ignored.
 */
export type ByteRange =
  { readonly first: number; readonly last?: number | undefined } | { readonly lastBytes: number };

/**
 * The index of a range's first byte, and the index after its last byte, in an object of this size. The indexes are
 * equal if the range is empty.
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

/** @throws RangeError unless the bounds are non-negative integers in ascending order */
export function requireRange(range: ByteRange): void {
  const bounds =
    'lastBytes' in range ? [range.lastBytes] : [range.first, range.last ?? range.first];
  const [least = 0, most = least] = bounds;
  if (bounds.every(Number.isSafeInteger) && least >= 0 && most >= least) return;
  throw new RangeError(`${bounds.join(' to ')} is not a range of bytes.`);
}
