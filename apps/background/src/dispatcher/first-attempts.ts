import type { DueAttempt } from '@sightline/core/webhooks/delivery-queue';
import type { FirstAttempt } from './message-of.ts';

interface Entry extends FirstAttempt {
  /** The number of the attempt in the order of the outbox. */
  readonly nth: number;
  isQueued: boolean;
}

export interface StartedAttempt {
  readonly attempt: DueAttempt;
  readonly wasQueued: boolean;
  /** Marks the attempt as made, so that attempts that wait for this one may start. */
  readonly end: () => void;
}

/**
 * First attempts to send messages, in the order of the outbox. An attempt waits for earlier attempts that name the same
 * identity or detection. Other attempts overtake it.
 */
export class FirstAttempts {
  readonly #waiting: Entry[] = [];
  readonly #atWork = new Set<Entry>();
  readonly #busy = new Set<string>();
  #count = 0;
  #bytes = 0;
  /** The last attempt, in the order of the outbox, that was made and has no row in the queue. */
  #furthest: Entry | null = null;

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#waiting.length;
  }

  get isDone(): boolean {
    return this.#waiting.length === 0 && this.#atWork.size === 0;
  }

  get furthest(): DueAttempt | null {
    return this.#furthest?.attempt ?? null;
  }

  add(attempts: readonly FirstAttempt[], { areQueued }: { readonly areQueued: boolean }): void {
    for (const { attempt, entities } of attempts) {
      this.#bytes += attempt.body.length;
      this.#waiting.push({ attempt, entities, nth: ++this.#count, isQueued: areQueued });
    }
  }

  /** Takes the next attempt that need not wait for another one; null if there is no such attempt now. */
  take(): StartedAttempt | null {
    const waited = new Set<string>();
    const at = this.#waiting.findIndex(({ entities }) => {
      const isFree = entities.every((entity) => !this.#busy.has(entity) && !waited.has(entity));
      if (!isFree) for (const entity of entities) waited.add(entity);
      return isFree;
    });
    if (at < 0) return null;
    // Usually the first entry need not wait for another one, and `shift` is cheaper than `splice`.
    const entry = at === 0 ? this.#waiting.shift()! : this.#waiting.splice(at, 1)[0]!;
    const { attempt, entities } = entry;
    this.#bytes -= attempt.body.length;
    this.#atWork.add(entry);
    for (const entity of entities) this.#busy.add(entity);
    return {
      attempt,
      get wasQueued() {
        return entry.isQueued;
      },
      end: () => {
        this.#atWork.delete(entry);
        for (const entity of entities) this.#busy.delete(entity);
        if (!entry.isQueued && entry.nth > (this.#furthest?.nth ?? 0)) this.#furthest = entry;
      },
    };
  }

  /**
   * Returns the attempts that come before the furthest sent attempt in the outbox and have no row in the queue yet.
   * The caller adds these rows, so the attempts are marked as queued.
   */
  passed(): readonly DueAttempt[] {
    const end = this.#furthest?.nth ?? 0;
    const passed = [...this.#atWork, ...this.#waiting].filter(
      ({ nth, isQueued }) => !isQueued && nth < end,
    );
    for (const entry of passed) entry.isQueued = true;
    return passed.map(({ attempt }) => attempt);
  }
}
