import type { DueAttempt } from '@sightline/core/webhooks/delivery-queue';
import { entitiesOf } from './message-of.ts';

interface Waiting {
  readonly attempt: DueAttempt;
  readonly entities: readonly string[];
}

/**
 * First attempts in the order of the outbox. One waits while an earlier one, about an identity or a detection
 * that both name, waits or is at work; others pass it.
 */
export class FirstAttempts {
  readonly #waiting: Waiting[] = [];
  readonly #atWork = new Set<string>();
  #bytes = 0;

  /** Of the bodies that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#waiting.length;
  }

  add(attempts: readonly DueAttempt[]): void {
    for (const attempt of attempts) {
      this.#bytes += attempt.body.length;
      this.#waiting.push({ attempt, entities: entitiesOf(attempt.body) });
    }
  }

  /** The next one that may begin; null if there is none now. `end` lets those go on that wait for it. */
  take(): { readonly attempt: DueAttempt; readonly end: () => void } | null {
    const before = new Set(this.#atWork);
    const at = this.#waiting.findIndex(({ entities }) => {
      const isFree = entities.every((entity) => !before.has(entity));
      for (const entity of entities) before.add(entity);
      return isFree;
    });
    if (at < 0) return null;
    const [{ attempt, entities }] = this.#waiting.splice(at, 1) as [Waiting];
    this.#bytes -= attempt.body.length;
    for (const entity of entities) this.#atWork.add(entity);
    return {
      attempt,
      end: () => {
        for (const entity of entities) this.#atWork.delete(entity);
      },
    };
  }
}
