import type { Clock } from '@sightline/platform/resilience/clock';
import { Backoff } from '@sightline/core/backoff';

const RETRY = { firstMs: 500, longestMs: 60_000 };

/**
 * A queue of the keys of objects to reconcile, first in, first out. Namespaces take turns, so that a namespace with many
 * objects does not delay the others. Only one worker at a time has a key. If the key is added again in the meantime, it is
 * queued again once the worker is done.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #taken: (waitedMs: number) => void;
  /** When each waiting key was queued, by namespace. The namespace whose turn is next comes first. */
  readonly #ready = new Map<string, Map<string, number>>();
  /** When a worker took each key that is being processed. */
  readonly #processing = new Map<string, number>();
  /** The keys that were added while a worker has them. */
  readonly #dirty = new Set<string>();
  readonly #delayed = new Map<string, { readonly at: number; readonly cancel: () => void }>();
  readonly #backoffs = new Map<string, Backoff>();
  #takers: ((key: string) => void)[] = [];

  /** @param taken called when a worker takes a key, with the time in ms that the key waited */
  constructor(clock: Clock, taken: (waitedMs: number) => void = () => undefined) {
    this.#clock = clock;
    this.#taken = taken;
  }

  /** The number of keys that wait for a worker. */
  get depth(): number {
    return [...this.#ready.values()].reduce((depth, { size }) => depth + size, 0);
  }

  /** For each key that a worker has, the time in ms since the worker took it. */
  get unfinished(): readonly number[] {
    const now = this.#clock.now();
    return [...this.#processing.values()].map((since) => now - since);
  }

  add(key: string): void {
    this.#forgetDelay(key);
    if (this.#processing.has(key)) {
      this.#dirty.add(key);
      return;
    }
    const namespace = namespaceOf(key);
    const ready = this.#ready.get(namespace) ?? new Map<string, number>();
    this.#ready.set(namespace, ready);
    if (!ready.has(key)) ready.set(key, this.#clock.now());
    this.#handOut();
  }

  /** Adds a key after a delay in ms. If a key has several delays, the earliest counts. */
  addAfter(key: string, milliseconds: number): void {
    const at = this.#clock.now() + milliseconds;
    const known = this.#delayed.get(key);
    const isReady = this.#ready.get(namespaceOf(key))?.has(key) === true;
    if (isReady || (known !== undefined && known.at <= at)) return;
    known?.cancel();
    const cancel = this.#clock.after(milliseconds, () => this.add(key));
    this.#delayed.set(key, { at, cancel });
  }

  /** Waits for the next key. The worker must call `done` after its work. @throws the signal's reason on abort */
  take(signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const abort = (): void => {
        this.#takers = this.#takers.filter((other) => other !== taker);
        reject(signal.reason as Error);
      };
      const taker = (key: string): void => {
        signal.removeEventListener('abort', abort);
        resolve(key);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#takers.push(taker);
      this.#handOut();
    });
  }

  /** Called by a worker that has ended its work on a key. */
  done(key: string): void {
    this.#processing.delete(key);
    if (this.#dirty.delete(key)) this.add(key);
  }

  /** Queues a failed key again after a pause that grows with each failure. */
  retry(key: string): void {
    const backoff = this.#backoffs.get(key) ?? new Backoff(RETRY);
    this.#backoffs.set(key, backoff);
    this.addAfter(key, backoff.next());
  }

  /** Forgets the keys that wait for a delay. */
  close(): void {
    for (const key of [...this.#delayed.keys()]) this.#forgetDelay(key);
  }

  /** Resets the backoff of a key. */
  succeeded(key: string): void {
    this.#backoffs.delete(key);
  }

  #handOut(): void {
    // Each step moves the namespace to the end of the map, so the loop visits it again after the others.
    for (const [namespace, ready] of this.#ready) {
      const taker = this.#takers.shift();
      if (taker === undefined) return;
      const now = this.#clock.now();
      const [key, since] = ready.entries().next().value!;
      ready.delete(key);
      this.#ready.delete(namespace);
      if (ready.size > 0) this.#ready.set(namespace, ready);
      this.#processing.set(key, now);
      this.#taken(now - since);
      taker(key);
    }
  }

  #forgetDelay(key: string): void {
    this.#delayed.get(key)?.cancel();
    this.#delayed.delete(key);
  }
}

/** The namespace of a key. A key without a namespace has a turn of its own. */
function namespaceOf(key: string): string {
  return key.split('/', 1)[0]!;
}
