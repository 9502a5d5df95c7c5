import { isIPv6 } from 'node:net';

/** The address on which a server listens; the host is an IP address. */
export interface BoundAddress {
  readonly host: string;
  readonly port: number;
}

/** Hosts that mean every address of the machine. */
const EVERYWHERE = new Set(['0.0.0.0', '::']);

/** The address as a URL without a path. */
export function urlOf({ host, port }: BoundAddress): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** The URL for clients on this machine, also if the server listens on every address. */
export function localUrlOf({ host, port }: BoundAddress): string {
  return urlOf({ host: EVERYWHERE.has(host) ? 'localhost' : host, port });
}
