import type { InferenceAddress } from './inference-address.ts';

/** The addresses of inference processes at this moment. */
export class AddressList implements AsyncDisposable {
  readonly #open: (url: URL) => InferenceAddress;
  #current: readonly InferenceAddress[] = [];
  /** They get no further requests, and finish what they have. */
  readonly #leaving = new Set<InferenceAddress>();

  constructor(open: (url: URL) => InferenceAddress) {
    this.#open = open;
  }

  get current(): readonly InferenceAddress[] {
    return this.#current;
  }

  /** An address that stays keeps its connections, and what is known of it. */
  set(urls: readonly URL[]): void {
    const origins = new Set(urls.map(({ origin }) => origin));
    const known = new Map(this.#current.map((address) => [address.url, address]));
    this.#current = [...origins].map((origin) => known.get(origin) ?? this.#open(new URL(origin)));
    for (const [origin, address] of known) if (!origins.has(origin)) void this.#leave(address);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.#current, ...this.#leaving];
    this.#current = [];
    await Promise.all(all.map((address) => address[Symbol.asyncDispose]()));
  }

  async #leave(address: InferenceAddress): Promise<void> {
    this.#leaving.add(address);
    // What is in flight has a time limit of its own.
    await address.finish().catch(() => undefined);
    await address[Symbol.asyncDispose]();
    this.#leaving.delete(address);
  }
}
