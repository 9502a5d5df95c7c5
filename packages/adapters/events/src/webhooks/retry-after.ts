const SECONDS = /^\d{1,9}$/;

/**
 * The delay that a `Retry-After` header requests, in ms; null if the header is missing, invalid or in the past.
 *
 * @param now milliseconds since the epoch
 */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | null {
  const text = typeof header === 'string' ? header.trim() : '';
  const ms = SECONDS.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return ms > 0 ? ms : null;
}
