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

/** Asks the system (hosts file, DNS) for all addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** The endpoint of a part of the platform itself: a name or an address, and a port. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export interface TargetRules {
  /** The current endpoints of the platform's stores and the service's own listeners. */
  readonly ownEndpoints: () => readonly Endpoint[];
  readonly resolve?: Resolve;
}

/** The allowed addresses: `private` includes private networks and this machine, `public` excludes them. */
export type Reach = 'private' | 'public';

/**
 * Refuses what can be refused by looking at the URL: its scheme, credentials in it, and a literal
 * address, which `URL` has brought from any notation (octal, hexadecimal, short) into the usual one.
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

/** Decides, at the moment of connecting, to which addresses a connection may go. */
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
   * The addresses of a host, all of them allowed; to connect anywhere else would undo the check.
   *
   * @throws TargetRefused; the resolver's error.
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

/** A listener on an unspecified address is at every address of this machine. */
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
