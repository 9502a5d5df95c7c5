import type { Clock } from '@sightline/platform/resilience/clock';
import { WorkQueue } from './work-queue.ts';

/** Receives the progress of reconciliations, for metrics. */
export interface ControllerObserver {
  added(): void;
  /** Called when a worker begins with an object, with the time that the object waited. */
  taken(waitedSeconds: number): void;
  /** @param result `requeue_after` if the object is reconciled again after a pause */
  reconciled(result: 'success' | 'error' | 'requeue_after', seconds: number): void;
  retried(): void;
}

export interface QueueLoad {
  readonly depth: number;
  readonly unfinished: readonly number[];
}

export interface ControllerOptions {
  readonly clock: Clock;
  /** The number of objects that are reconciled at the same time. */
  readonly workers: number;
  /**
   * Brings the cluster to the desired state of one object.
   *
   * @returns the time in ms after which the object is reconciled again without a change; null for never
   */
  readonly reconcile: (key: string, signal: AbortSignal) => Promise<number | null>;
  readonly observer: ControllerObserver;
  /** Called with each failure, before the object is retried. */
  readonly failed: (error: unknown, key: string) => void;
}

/** Reconciles objects, and retries failed ones with exponential backoff. */
export class Controller {
  readonly #options: ControllerOptions;
  readonly #queue: WorkQueue;

  constructor(options: ControllerOptions) {
    this.#options = options;
    const { clock, observer } = options;
    this.#queue = new WorkQueue(clock, (waitedMs) => observer.taken(waitedMs / 1000));
  }

  /** The number of waiting objects, and the seconds that workers have spent on their current objects. */
  get load(): QueueLoad {
    const { depth, unfinished } = this.#queue;
    return { depth, unfinished: unfinished.map((ms) => ms / 1000) };
  }

  add(key: string): void {
    this.#options.observer.added();
    this.#queue.add(key);
  }

  /** Works until the signal aborts, and until all workers have ended. @throws the signal's reason */
  async run(signal: AbortSignal): Promise<void> {
    const { workers } = this.#options;
    const works = Array.from({ length: workers }, () => this.#work(signal));
    try {
      await Promise.all(works);
    } finally {
      if (signal.aborted) await Promise.allSettled(works);
      this.#queue.close();
    }
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
