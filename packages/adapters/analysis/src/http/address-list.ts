import type { InferenceAddress } from './inference-address.ts';

export class AddressList implements AsyncDisposable {
  readonly #open: (url: URL) => InferenceAddress;
  #current: readonly InferenceAddress[] = [];
  /** Removed addresses that get no further requests and finish the requests in flight. */
  readonly #draining = new Set<InferenceAddress>();

  constructor(open: (url: URL) => InferenceAddress) {
    this.#open = open;
  }

  get current(): readonly InferenceAddress[] {
    return this.#current;
  }

  /**
   * Replaces the addresses. An address that is in both the old and the new list keeps its connections and its state.
   */
  set(urls: readonly URL[]): void {
    const origins = new Set(urls.map(({ origin }) => origin));
    const known = new Map(this.#current.map((address) => [address.url, address]));
    this.#current = [...origins].map((origin) => known.get(origin) ?? this.#open(new URL(origin)));
    for (const [origin, address] of known) if (!origins.has(origin)) void this.#drain(address);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.#current, ...this.#draining];
    this.#current = [];
    await Promise.all(all.map((address) => address[Symbol.asyncDispose]()));
  }

  async #drain(address: InferenceAddress): Promise<void> {
    this.#draining.add(address);
    // This wait ends, because each request in flight has a timeout.
    await address.finish().catch(() => undefined);
    await address[Symbol.asyncDispose]();
    this.#draining.delete(address);
  }
}
