import type { ByteRange } from '@sightline/core/media/byte-range';

const FROM = /^bytes=(\d{1,15})-(\d{0,15})$/i;
const LAST_BYTES = /^bytes=-(\d{1,15})$/i;

/**
 * Returns the part of a file that a Range header requests. Undefined means the whole file; this includes invalid headers
 * and headers with several parts (RFC 9110, 14.2).
 */
export function parseRange(header = ''): ByteRange | undefined {
  const [, count] = LAST_BYTES.exec(header) ?? [];
  if (count !== undefined) return { lastBytes: Number(count) };
  const [, from, to] = FROM.exec(header) ?? [];
  if (from === undefined) return undefined;
  const [first, last] = [Number(from), to ? Number(to) : undefined];
  return last !== undefined && last < first ? undefined : { first, last };
}
