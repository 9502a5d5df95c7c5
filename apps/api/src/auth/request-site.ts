import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a page of this service caused a request: `same`, or a `foreign` page. `unknown` requests come from no page, or
 * from a browser that does not say.
 */
export type RequestSite = 'same' | 'unknown' | 'foreign';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Compares the origin of a request with that of the service. Headers that contradict each other count as foreign.
 *
 * @param publicOrigin the origin under which browsers reach the service; null for the host that the request names
 */
export function siteOf(headers: IncomingHttpHeaders, publicOrigin: string | null): RequestSite {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const isEqual = origin !== undefined && isOwnOrigin(origin, headers.host, publicOrigin);
  if (origin !== undefined && !isEqual) return 'foreign';
  if (site === 'same-origin') return 'same';
  if (site === undefined) return isEqual ? 'same' : 'unknown';
  return site === 'none' ? 'unknown' : 'foreign';
}

function isOwnOrigin(
  origin: string,
  host: string | undefined,
  publicOrigin: string | null,
): boolean {
  if (publicOrigin !== null) return origin === publicOrigin;
  const page = URL.parse(origin);
  if (page === null || host === undefined) return false;
  // Without a public address the scheme is unknown, because a proxy may end TLS. Some proxies name the default port in Host.
  const withPort = `${page.host}:${DEFAULT_PORTS[page.protocol] ?? ''}`;
  return [page.host, withPort].includes(host.toLowerCase());
}
