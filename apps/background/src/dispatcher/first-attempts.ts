import type { DueAttempt } from '@sightline/core/webhooks/delivery-queue';
import type { FirstAttempt } from './message-of.ts';

interface Entry extends FirstAttempt {
  /** The position in the order of the outbox. */
  readonly nth: number;
  /** Whether the attempt has a row in the queue. */
  isQueued: boolean;
}

/** A first attempt whose request was sent. */
export interface BegunAttempt {
  readonly attempt: DueAttempt;
  readonly wasQueued: boolean;
  /** Marks the attempt as made, so that the attempts which wait for it may begin. */
  readonly end: () => void;
}

/**
 * First attempts in the order of the outbox. An attempt waits for earlier ones that name the same identity or
 * detection; attempts about others overtake it.
 */
export class FirstAttempts {
  readonly #waiting: Entry[] = [];
  readonly #atWork = new Set<Entry>();
  readonly #busy = new Set<string>();
  #count = 0;
  #bytes = 0;
  /** The last attempt in the order of the outbox that was made and has no row. */
  #furthest: Entry | null = null;

  /** The size of the bodies that wait. */
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

  /** The last attempt in the order of the outbox that was made and has no row; null if there is none. */
  get furthest(): DueAttempt | null {
    return this.#furthest?.attempt ?? null;
  }

  add(attempts: readonly FirstAttempt[], { areQueued }: { readonly areQueued: boolean }): void {
    for (const { attempt, entities } of attempts) {
      this.#bytes += attempt.body.length;
      this.#waiting.push({ attempt, entities, nth: ++this.#count, isQueued: areQueued });
    }
  }

  /** The next attempt that may begin; null if there is none now. */
  take(): BegunAttempt | null {
    const waited = new Set<string>();
    const at = this.#waiting.findIndex(({ entities }) => {
      const isFree = entities.every((entity) => !this.#busy.has(entity) && !waited.has(entity));
      if (!isFree) for (const entity of entities) waited.add(entity);
      return isFree;
    });
    if (at < 0) return null;
    // Usually it is the first one, and no entry has to move.
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
   * The attempts without a row that the furthest one overtook. The caller queues them, so from here on they count
   * as queued.
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
