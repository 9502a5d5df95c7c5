import type { DueAttempt } from '@sightline/core/webhooks/delivery-queue';
import type { FirstAttempt } from './message-of.ts';

interface Entry extends FirstAttempt {
  /** Counts up in the order of the outbox. */
  readonly nth: number;
  /** Whether it has a row of its own. */
  isQueued: boolean;
}

/** A first attempt that has begun. */
export interface BegunAttempt {
  readonly attempt: DueAttempt;
  readonly wasQueued: boolean;
  /** It was made: those go on that wait for it. */
  readonly end: () => void;
}

/**
 * First attempts in the order of the outbox. One waits while an earlier one, about an identity or a detection
 * that both name, waits or is at work; others pass it.
 */
export class FirstAttempts {
  readonly #waiting: Entry[] = [];
  readonly #atWork = new Set<Entry>();
  readonly #busy = new Set<string>();
  #count = 0;
  #bytes = 0;
  /** Of those without a row, the furthest one that was made. */
  #furthest: Entry | null = null;

  /** Of the bodies that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** Whether all have been made. */
  get isDone(): boolean {
    return this.#waiting.length === 0 && this.#atWork.size === 0;
  }

  /** The furthest that was made of those without a row; null: there is none. */
  get furthest(): DueAttempt | null {
    return this.#furthest?.attempt ?? null;
  }

  add(attempts: readonly FirstAttempt[], { areQueued }: { readonly areQueued: boolean }): void {
    for (const { attempt, entities } of attempts) {
      this.#bytes += attempt.body.length;
      this.#waiting.push({ attempt, entities, nth: ++this.#count, isQueued: areQueued });
    }
  }

  /** The next one that may begin; null if there is none now. */
  take(): BegunAttempt | null {
    const waited = new Set<string>();
    const at = this.#waiting.findIndex(({ entities }) => {
      const isFree = entities.every((entity) => !this.#busy.has(entity) && !waited.has(entity));
      if (!isFree) for (const entity of entities) waited.add(entity);
      return isFree;
    });
    if (at < 0) return null;
    // Mostly the first one: nothing has to be moved then.
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

  /** Those that the furthest one has passed, and that have no row yet: they are given one now. */
  passed(): readonly DueAttempt[] {
    const end = this.#furthest?.nth ?? 0;
    const passed = [...this.#atWork, ...this.#waiting].filter(
      ({ nth, isQueued }) => !isQueued && nth < end,
    );
    for (const entry of passed) entry.isQueued = true;
    return passed.map(({ attempt }) => attempt);
  }
}
