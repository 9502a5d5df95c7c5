const SECONDS = /^\d{1,9}$/;

/**
 * What the header `Retry-After` asks for, in ms from now; null if it asks for nothing that is to come. It has
 * seconds, or a date of HTTP.
 *
 * @param now in ms of the epoch
 */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | null {
  const text = typeof header === 'string' ? header.trim() : '';
  const ms = SECONDS.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return ms > 0 ? ms : null;
}
