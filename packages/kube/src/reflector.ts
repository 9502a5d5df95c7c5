import { Backoff } from '@sightline/core/backoff';
import type { ObjectList, WatchEvent } from './kube-client.ts';
import { KubeRefusal } from './kube-errors.ts';
import type { KubeObject } from './kube-object.ts';
import type { Clock } from '@sightline/platform/resilience/clock';
import { RepeatedFailure } from '@sightline/platform/resilience/repeated-failure';
import { keyOf } from './object-key.ts';
import { pause } from './pause.ts';

/** The backoff after failures. After an outage of the API server, changes arrive within the longest pause. */
const RETRY = { firstMs: 500, longestMs: 10_000 };
/**
 * The minimum time between the starts of two watches, in ms. Without it, a server that ends each watch at once would
 * get new watches without a pause.
 */
const SHORTEST_WATCH_MS = 1_000;

export interface ObjectSource<T extends KubeObject> {
  list(signal: AbortSignal): Promise<ObjectList<T>>;
  watch(resourceVersion: string, signal: AbortSignal): AsyncIterable<WatchEvent<T>>;
}

export interface ReflectorOptions<T extends KubeObject> {
  readonly source: ObjectSource<T>;
  readonly clock: Clock;
  /**
   * Called with each object that was added, changed or deleted. A deleted object is passed in its last known state.
   */
  readonly changed: (object: T) => void;
  /** Called with each failure of a list or a watch, but not again while the retries fail in the same way. */
  readonly failed: (error: unknown) => void;
}

/** A local copy of all objects of one kind, kept up to date by a watch. */
export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #objects = new Map<string, T>();
  readonly #backoff = new Backoff(RETRY);
  readonly #listed = Promise.withResolvers<undefined>();
  readonly #failure: RepeatedFailure;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#failure = new RepeatedFailure(options.failed);
  }

  /** Resolves when the copy is complete for the first time. */
  get listed(): Promise<undefined> {
    return this.#listed.promise;
  }

  /** Whether the last list or watch failed. After a failure, the copy may be out of date or incomplete. */
  get isFailing(): boolean {
    return this.#failure.isFailing;
  }

  /** @param key `namespace/name` */
  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  values(): readonly T[] {
    return [...this.#objects.values()];
  }

  /** Keeps the copy up to date until the signal aborts. @throws the signal's reason */
  async run(signal: AbortSignal): Promise<never> {
    for (;;) {
      let version = await this.#list(signal);
      while (version !== null) version = await this.#follow(version, signal);
    }
  }

  /** @returns the version after which the next watch begins; null if the objects must be listed again */
  async #list(signal: AbortSignal): Promise<string | null> {
    const { source } = this.#options;
    try {
      const { resourceVersion, items } = await source.list(signal);
      this.#replace(items);
      this.#succeeded();
      this.#listed.resolve(undefined);
      return resourceVersion;
    } catch (error) {
      await this.#rest(error, signal);
      return null;
    }
  }

  async #follow(from: string, signal: AbortSignal): Promise<string | null> {
    const { source, clock } = this.#options;
    const began = clock.now();
    let version = from;
    try {
      for await (const event of source.watch(from, signal)) {
        version = this.#take(event);
        this.#succeeded();
      }
      this.#failure.succeeded();
      const left = began + SHORTEST_WATCH_MS - clock.now();
      if (left > 0) await pause(clock, left, signal);
      return version;
    } catch (error) {
      await this.#rest(error, signal);
      return error instanceof KubeRefusal && error.isExpired ? null : version;
    }
  }

  /** @returns the resource version of the event */
  #take({ type, object }: WatchEvent<T>): string {
    if (type === 'DELETED') this.#objects.delete(keyOf(object));
    else if (type !== 'BOOKMARK') this.#objects.set(keyOf(object), object);
    if (type !== 'BOOKMARK') this.#options.changed(object);
    return object.metadata.resourceVersion!;
  }

  #replace(items: readonly T[]): void {
    const gone = new Map(this.#objects);
    this.#objects.clear();
    for (const item of items) {
      const known = gone.get(keyOf(item));
      gone.delete(keyOf(item));
      this.#objects.set(keyOf(item), item);
      if (known?.metadata.resourceVersion !== item.metadata.resourceVersion) {
        this.#options.changed(item);
      }
    }
    for (const object of gone.values()) this.#options.changed(object);
  }

  #succeeded(): void {
    this.#backoff.reset();
    this.#failure.succeeded();
  }

  async #rest(error: unknown, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#failure.failed(error);
    const asked = error instanceof KubeRefusal ? (error.status.retryAfterSeconds ?? 0) * 1000 : 0;
    await pause(this.#options.clock, Math.max(this.#backoff.next(), asked), signal);
  }
}
