import type { EventHint } from '@sightline/core/events/event-stream';
import { comparePlaces } from '@sightline/core/events/stored-event';
import { orAbort } from '@sightline/platform/resilience/or-abort';

/**
 * Bounds the memory: a client that may write to the topic could name any number of environments. Consumers find
 * events without a hint in the outbox.
 */
const MOST_ENVIRONMENTS = 10_000;

/** Hints that no consumer has taken yet: one for each environment, so they do not grow with the number of events. */
export class EventHints {
  readonly #hints = new Map<number, EventHint>();
  #wake: (() => void) | null = null;

  add(hint: EventHint): void {
    const known = this.#hints.get(hint.environmentId);
    if (known === undefined && this.#hints.size >= MOST_ENVIRONMENTS) return;
    this.#hints.set(hint.environmentId, known === undefined ? hint : join(known, hint));
    this.#wake?.();
  }

  /**
   * Waits for hints, and takes the oldest ones.
   *
   * @throws the signal's reason on abort
   */
  async take(limit: number, signal: AbortSignal): Promise<readonly EventHint[]> {
    if (this.#hints.size === 0) await this.#added(signal);
    const taken = [...this.#hints.values()].slice(0, limit);
    for (const { environmentId } of taken) this.#hints.delete(environmentId);
    return taken;
  }

  async #added(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#wake = () => resolve(undefined);
    try {
      await orAbort(promise, signal);
    } finally {
      this.#wake = null;
    }
  }
}

/** Joins two hints. Places of different outboxes cannot be compared, so the later hint replaces the earlier one. */
function join(first: EventHint, second: EventHint): EventHint {
  if (first.epoch !== second.epoch) return second;
  const isLater = comparePlaces(second.place, first.place) > 0;
  const place = isLater ? second.place : first.place;
  return { ...first, place, events: first.events + second.events };
}
