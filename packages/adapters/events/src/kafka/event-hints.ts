import type { EventHint } from '@sightline/core/events/event-stream';
import { comparePlaces } from '@sightline/core/events/stored-event';

/** Whoever may write into the topic could name environments without end. What is lost is found in the outbox. */
const MOST_ENVIRONMENTS = 10_000;

/** Hints that nobody has followed yet: one for each environment, so they do not grow with what is published. */
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
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const abort = (): void => reject(signal.reason);
    this.#wake = () => resolve(undefined);
    signal.addEventListener('abort', abort);
    try {
      await promise;
    } finally {
      this.#wake = null;
      signal.removeEventListener('abort', abort);
    }
  }
}

/** A hint that stands for both. Places of different outboxes cannot be compared: the later one counts. */
function join(first: EventHint, second: EventHint): EventHint {
  if (first.epoch !== second.epoch) return second;
  const isLater = comparePlaces(second.place, first.place) > 0;
  const place = isLater ? second.place : first.place;
  return { ...first, place, events: first.events + second.events };
}
