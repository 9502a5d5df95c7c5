import type { EventHint } from '@sightline/core/events/event-stream';
import { comparePositions } from '@sightline/core/events/stored-event';
import { orAbort } from '@sightline/platform/resilience/or-abort';

/**
 * The maximum number of environments with hints. The limit bounds the memory, because any client with write access to
 * the topic can name any environment. Events without a hint are not lost, because consumers also read the outbox.
 */
const MOST_ENVIRONMENTS = 10_000;

/** Hints at new events that no consumer has taken yet, joined into one hint per environment to bound the memory. */
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
   * Waits until there are hints, then takes the oldest.
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

/**
 * Joins two hints of one environment. If their outboxes differ, their positions cannot be compared, and the later
 * hint wins.
 */
function join(first: EventHint, second: EventHint): EventHint {
  if (first.epoch !== second.epoch) return second;
  const isLater = comparePositions(second.position, first.position) > 0;
  const position = isLater ? second.position : first.position;
  return { ...first, position, events: first.events + second.events };
}
