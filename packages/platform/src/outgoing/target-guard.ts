import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import {
  canonicalAddress,
  isForbiddenAddress,
  isLoopback,
  isPublicAddress,
} from './address-rules.ts';
import { TargetRefused } from './outgoing-errors.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Looks up all addresses of a host name in the hosts file and DNS. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export interface TargetRules {
  /**
   * The current endpoints of the platform's stores and the service's own listeners, which requests must not reach.
   */
  readonly ownEndpoints: () => readonly Endpoint[];
  readonly resolve?: Resolve;
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
export function checkTargetUrl({ protocol, username, password, hostname }: URL): void {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  if (
    (protocol !== 'http:' && protocol !== 'https:') ||
    username !== '' ||
    password !== '' ||
    (isIP(literal) !== 0 && isForbiddenAddress(literal))
  ) {
    throw new TargetRefused();
  }
}

export class TargetGuard {
  readonly #ownEndpoints: () => readonly Endpoint[];
  readonly #resolve: Resolve;
  readonly #isAllowed: (address: string) => boolean;

  constructor({ ownEndpoints, resolve = resolveAll }: TargetRules, reach: Reach) {
    this.#ownEndpoints = ownEndpoints;
    this.#isAllowed =
      reach === 'public' ? isPublicAddress : (address) => !isForbiddenAddress(address);
    this.#resolve = resolve;
  }

  /**
   * Resolves a host and checks its addresses. The caller must connect only to the returned addresses, because another
   * lookup could return addresses that are not checked.
   *
   * @throws TargetRefused if one of the addresses is not allowed; the resolver's error
   */
  async allowedAddresses({ host, port }: Endpoint): Promise<readonly ResolvedAddress[]> {
    const addresses = await this.#addressesOf(host);
    if (!addresses.every(({ address }) => this.#isAllowed(address))) throw new TargetRefused();
    for (const own of this.#ownEndpoints()) {
      if (own.port === port && (await this.#anyIsAt(addresses, own.host)))
        throw new TargetRefused();
    }
    return addresses;
  }

  async #addressesOf(host: string): Promise<readonly ResolvedAddress[]> {
    const family = isIP(host);
    return family === 0 ? this.#resolve(host) : [{ address: host, family }];
  }

  async #anyIsAt(addresses: readonly ResolvedAddress[], host: string): Promise<boolean> {
    const own = await this.#addressesOf(host);
    return addresses.some((target) => own.some((o) => isSameHost(target.address, o.address)));
  }
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
