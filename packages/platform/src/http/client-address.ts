import type { IncomingHttpHeaders } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import { canonicalAddress, createBlockList } from '../outgoing/address-rules.ts';
import type { Holder } from '../resilience/fair-shares.ts';

/** The parts of a request that name its client. */
interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** The reverse proxies whose `X-Forwarded-For` header names the client. */
export class TrustedProxies {
  readonly #networks: ReturnType<typeof createBlockList>;

  /** @param networks addresses or networks, such as `10.0.0.0/8` */
  constructor(networks: readonly string[]) {
    this.#networks = createBlockList(networks);
  }

  /** @param address in the form of `canonicalAddress` */
  includes(address: string): boolean {
    return this.#networks.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  }

  /**
   * Returns the address of the client for which a trusted proxy sent the request: the last entry of `X-Forwarded-For`
   * that is not a trusted proxy itself, because a client can write any earlier entries. Returns null if the connection
   * does not come from a trusted proxy, or if the header does not name a client.
   */
  clientOf(request: ReceivedRequest): string | null {
    const peer = addressOf(request.socket.remoteAddress ?? '');
    if (peer === null || !this.includes(peer)) return null;
    const header = request.headers['x-forwarded-for'];
    const entries = String(header ?? '').split(',');
    for (const entry of entries.reverse()) {
      const address = addressOf(withoutPort(entry.trim()));
      if (address === null || !this.includes(address)) return address;
    }
    return null;
  }
}

/** Returns the canonical form of an IP address; null for any other text. */
export function addressOf(text: string): string | null {
  return isIP(text) === 0 ? null : canonicalAddress(text);
}

/**
 * The holder of what a client at an address may use. All IPv6 addresses with the same first 64 bits are one holder,
 * because a single machine usually has all of them.
 *
 * @param address in the form of `canonicalAddress`
 */
export function holderAt(address: string): Holder {
  const holder = isIPv4(address) ? address : address.split(':').slice(0, 4).join(':');
  return { environment: holder, caller: holder };
}

/** Removes the port that some proxies add, as in `192.0.2.1:5678` and `[2001:db8::1]:5678`. */
function withoutPort(entry: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(entry) ?? [];
  return bracketed ?? plain ?? entry;
}
