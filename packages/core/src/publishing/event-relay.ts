import type { EventPublisher } from '../events/event-publisher.ts';
import type { OutboxReader } from '../events/outbox-reader.ts';
import type { RelayStore } from '../events/relay-store.ts';
import type { EventPosition } from '../events/stored-event.ts';

export interface RelayDeps {
  readonly outbox: Pick<OutboxReader, 'read'>;
  readonly relays: Pick<RelayStore, 'position' | 'move'>;
  readonly publisher: EventPublisher;
  /** Called with the number of published events. */
  readonly published?: (events: number) => void;
  /** A monotonic clock, in ms. */
  readonly now?: () => number;
}

const BATCH = 500;
/** The interval in ms at which a relay without events records that it is running. */
const SIGN_OF_LIFE_MS = 10_000;

/**
 * Publishes the events of the outbox in their order, and moves its stored position after publishing. If the relay was
 * paused in between and another relay has moved the position, it continues at the new position. Therefore events may be
 * published twice, but none is skipped.
 */
export class EventRelay {
  readonly #deps: RelayDeps;
  /** The last known position; null if it must be read. */
  #position: EventPosition | null = null;
  #movedAt = -Infinity;

  constructor(deps: RelayDeps) {
    this.#deps = deps;
  }

  /**
   * Publishes the next events.
   *
   * @returns whether the outbox may have more events
   * @throws StoreUnavailable, EventTransportUnavailable; the signal's reason on abort
   */
  async publishNext(signal: AbortSignal): Promise<{ readonly more: boolean }> {
    const { outbox, relays, publisher, published, now = () => performance.now() } = this.#deps;
    const from = (this.#position ??= await relays.position(publisher.topic, signal));
    const batch = await outbox.read(from, BATCH, signal);
    const last = batch.events.at(-1);
    if (last !== undefined) {
      await publisher.publish(batch, signal);
      published?.(batch.events.length);
    } else if (now() < this.#movedAt + SIGN_OF_LIFE_MS) {
      return { more: false };
    } else {
      await publisher.check(signal);
    }
    const to = last?.position ?? from;
    const isMoved = await relays.move(publisher.topic, { from, to }, signal);
    this.#position = isMoved ? to : null;
    this.#movedAt = now();
    return { more: !isMoved || batch.hasMore };
  }
}
