import type { IncomingHttpHeaders } from 'node:http';

/** Returns the values of all cookies of a request that have a name. */
export function cookiesOf({ cookie = '' }: IncomingHttpHeaders, name: string): readonly string[] {
  const start = `${name}=`;
  return cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length));
}
