const SECONDS = /^\d{1,9}$/;

/**
 * The pause that a `Retry-After` header requests, in ms from now; null if it requests none or names a past date. The
 * header has seconds or an HTTP date.
 *
 * @param now in ms of the epoch
 */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | null {
  const text = typeof header === 'string' ? header.trim() : '';
  const ms = SECONDS.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return ms > 0 ? ms : null;
}
