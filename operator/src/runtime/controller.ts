import type { Clock } from '@sightline/platform/resilience/clock';
import { WorkQueue } from './work-queue.ts';

/** How reconciling goes, for metrics. */
export interface ControllerObserver {
  added(): void;
  /** A worker begins with an object that has waited for so long. */
  taken(waitedSeconds: number): void;
  /** @param result `requeue_after`: it is looked at again by itself */
  reconciled(result: 'success' | 'error' | 'requeue_after', seconds: number): void;
  retried(): void;
}

export interface QueueLoad {
  readonly depth: number;
  readonly unfinished: readonly number[];
}

export interface ControllerOptions {
  readonly clock: Clock;
  /** Objects that are reconciled at the same time. */
  readonly workers: number;
  /**
   * Makes what one object wants.
   *
   * @returns in how many ms it is to be looked at again although nothing has changed; null: never
   */
  readonly reconcile: (key: string, signal: AbortSignal) => Promise<number | null>;
  readonly observer: ControllerObserver;
  /** Called with each failure, after which the object is tried again. */
  readonly failed: (error: unknown, key: string) => void;
}

/** Reconciles objects, those that fail after pauses that grow. */
export class Controller {
  readonly #options: ControllerOptions;
  readonly #queue: WorkQueue;

  constructor(options: ControllerOptions) {
    this.#options = options;
    const { clock, observer } = options;
    this.#queue = new WorkQueue(clock, (waitedMs) => observer.taken(waitedMs / 1000));
  }

  /** How many objects wait, and for how long those have been worked on that workers have now, in s. */
  get load(): QueueLoad {
    const { depth, unfinished } = this.#queue;
    return { depth, unfinished: unfinished.map((ms) => ms / 1000) };
  }

  add(key: string): void {
    this.#options.observer.added();
    this.#queue.add(key);
  }

  /** Works until the signal aborts. @throws the signal's reason */
  async run(signal: AbortSignal): Promise<void> {
    const { workers } = this.#options;
    await Promise.all(Array.from({ length: workers }, () => this.#work(signal)));
  }

  async #work(signal: AbortSignal): Promise<never> {
    for (;;) {
      const key = await this.#queue.take(signal);
      try {
        await this.#reconcile(key, signal);
      } finally {
        this.#queue.done(key);
      }
    }
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<void> {
    const { clock, reconcile, observer, failed } = this.#options;
    const began = clock.now();
    const seconds = (): number => (clock.now() - began) / 1000;
    try {
      const againMs = await reconcile(key, signal);
      this.#queue.succeeded(key);
      if (againMs !== null) this.#queue.addAfter(key, againMs);
      observer.reconciled(againMs === null ? 'success' : 'requeue_after', seconds());
    } catch (error) {
      signal.throwIfAborted();
      observer.reconciled('error', seconds());
      failed(error, key);
      observer.retried();
      this.#queue.retry(key);
    }
  }
}
