import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import {
  canonicalAddress,
  canonicalHost,
  isForbiddenAddress,
  isLoopback,
  isPublicAddress,
} from './address-rules.ts';
import { TargetRefused } from './outgoing-errors.ts';
import { withoutBrackets } from './url-endpoint.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Looks up all addresses of a host name in the hosts file and DNS. Rejects with the signal's reason on abort. */
export type Resolve = (
  hostname: string,
  signal: AbortSignal,
) => Promise<readonly ResolvedAddress[]>;

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export interface TargetRules {
  /**
   * The current endpoints of the platform's stores and the service's own listeners, which requests must not reach.
   */
  readonly ownEndpoints: () => readonly Endpoint[];
  /** Looks up the names of targets. */
  readonly resolveTarget: (hostname: string) => Promise<readonly ResolvedAddress[]>;
  /** Looks up the names of the own endpoints; if absent, the system's `getaddrinfo` does. */
  readonly resolveOwn?: ((hostname: string) => Promise<readonly ResolvedAddress[]>) | undefined;
}

/**
 * The allowed addresses. `private` allows private networks and this machine; `public` allows only the public
 * internet.
 */
export type Reach = 'private' | 'public';

/**
 * Refuses a URL with a wrong scheme, with credentials, or with a forbidden IP address as host. The class `URL` has
 * already converted every notation of an address (octal, hexadecimal, short) to the usual one.
 *
 * @throws TargetRefused
 */
export function checkTargetUrl(url: URL): void {
  const { protocol, hostname } = url;
  const literal = withoutBrackets(hostname);
  if (
    (protocol !== 'http:' && protocol !== 'https:') ||
    hasCredentials(url) ||
    (isIP(literal) !== 0 && isForbiddenAddress(literal))
  ) {
    throw new TargetRefused();
  }
}

export function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

export class TargetGuard {
  readonly #rules: Required<TargetRules>;
  readonly #isAllowed: (address: string) => boolean;

  constructor({ resolveOwn = resolveAll, ...rules }: TargetRules, reach: Reach) {
    this.#rules = { ...rules, resolveOwn };
    this.#isAllowed =
      reach === 'public' ? isPublicAddress : (address) => !isForbiddenAddress(address);
  }

  /**
   * Resolves a host and checks its addresses. The caller must connect only to the returned addresses, because another
   * lookup could return addresses that are not checked.
   *
   * @throws TargetRefused if one of the addresses is not allowed; the resolver's error
   */
  async allowedAddresses({ host, port }: Endpoint): Promise<readonly ResolvedAddress[]> {
    const { ownEndpoints, resolveTarget, resolveOwn } = this.#rules;
    const addresses = await addressesOf(host, resolveTarget);
    if (!addresses.every(({ address }) => this.#isAllowed(address))) throw new TargetRefused();
    const name = canonicalHost(host);
    for (const own of ownEndpoints()) {
      if (own.port !== port) continue;
      if (canonicalHost(own.host) === name) throw new TargetRefused();
      // A proxy resolves the name of its target, so there may be nothing to compare.
      if (addresses.length === 0) continue;
      const at = await addressesOf(own.host, resolveOwn);
      if (addresses.some(({ address }) => at.some((o) => isSameHost(address, o.address))))
        throw new TargetRefused();
    }
    return addresses;
  }
}

async function addressesOf(
  host: string,
  resolve: TargetRules['resolveTarget'],
): Promise<readonly ResolvedAddress[]> {
  const family = isIP(host);
  return family === 0 ? resolve(host) : [{ address: host, family }];
}

const UNSPECIFIED = new Set(['0.0.0.0', '0:0:0:0:0:0:0:0']);

/**
 * Whether two addresses reach the same host. A listener on an unspecified address is reachable at all addresses of
 * this machine.
 */
function isSameHost(target: string, own: string): boolean {
  if (canonicalAddress(target) === canonicalAddress(own)) return true;
  if (UNSPECIFIED.has(canonicalAddress(own))) return isLoopback(target) || isOwnInterface(target);
  return isLoopback(target) && isLoopback(own);
}

function isOwnInterface(target: string): boolean {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some(({ address }) => canonicalAddress(address) === canonicalAddress(target));
}

function resolveAll(hostname: string): Promise<readonly ResolvedAddress[]> {
  return lookup(hostname, { all: true });
}
