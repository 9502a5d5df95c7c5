import { isIPv6 } from 'node:net';

/** The address on which a server listens. The host is an IP address. */
export interface BoundAddress {
  readonly host: string;
  readonly port: number;
}

/** The hosts that mean all addresses of the machine. */
const EVERYWHERE = new Set(['0.0.0.0', '::']);

export function urlOf({ host, port }: BoundAddress): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** The URL for clients on this machine. The host is `localhost` if the server listens on all addresses. */
export function localUrlOf({ host, port }: BoundAddress): string {
  return urlOf({ host: EVERYWHERE.has(host) ? 'localhost' : host, port });
}
