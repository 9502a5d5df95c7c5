import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Looks up a name; by default with the system's resolver, which uses search domains and the hosts file. */
export type LookUp = (
  hostname: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

export interface ResolvedNameOptions {
  /** The protocol, name and port. */
  readonly url: URL;
  /** Called with the addresses behind the name after each successful look-up. */
  readonly onUrls: (urls: readonly URL[]) => void;
  readonly lookUp?: LookUp;
  /** The pause between two look-ups in ms; 2 s if absent. */
  readonly pauseMs?: number;
  /** How long the addresses are used after the last successful look-up, in ms; 60 s if absent. */
  readonly keptMs?: number;
}

const PAUSE_MS = 2_000;
/**
 * The default of `keptMs`. While the resolver fails for a shorter time, the addresses stay in use. After a longer
 * time they may belong to other machines, which must get neither images nor the key.
 */
const KEPT_MS = 60_000;
const IPV6 = 6;

/** Looks up the addresses behind a host name repeatedly, one look-up at a time. */
export class ResolvedName implements Disposable {
  readonly #options: ResolvedNameOptions;
  readonly #lookUp: LookUp;
  readonly #ended = new AbortController();
  readonly #first = Promise.withResolvers<undefined>();

  constructor(options: ResolvedNameOptions) {
    this.#options = options;
    this.#lookUp = options.lookUp ?? ((hostname) => lookup(hostname, { all: true }));
    void this.#follow(this.#ended.signal);
  }

  get first(): Promise<undefined> {
    return this.#first.promise;
  }

  [Symbol.dispose](): void {
    this.#ended.abort();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { onUrls, pauseMs = PAUSE_MS, keptMs = KEPT_MS } = this.#options;
    let confirmedAt = performance.now();
    const forget = setInterval(
      () => {
        if (performance.now() - confirmedAt > keptMs) onUrls([]);
      },
      Math.min(keptMs, PAUSE_MS),
    ).unref();
    for (;;) {
      const urls = await this.#urls();
      if (signal.aborted) break;
      if (urls.length > 0) {
        confirmedAt = performance.now();
        onUrls(urls);
      }
      this.#first.resolve(undefined);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    clearInterval(forget);
  }

  /**
   * Looks up the addresses. Returns only those of one family (IPv4 or IPv6), because a process that has an address of
   * each family would otherwise count twice. Returns an empty list if the look-up fails.
   */
  async #urls(): Promise<readonly URL[]> {
    const { url } = this.#options;
    const found = await this.#lookUp(url.hostname).catch(() => []);
    return found
      .filter(({ family }) => family === found[0]!.family)
      .map(({ address, family }) => {
        const at = new URL(url);
        at.hostname = family === IPV6 ? `[${address}]` : address;
        return at;
      });
  }
}
