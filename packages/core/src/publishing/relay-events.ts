import type { EventPublisher } from '../events/event-publisher.ts';
import type { OutboxReader } from '../events/outbox-reader.ts';
import type { RelayStore } from '../events/relay-store.ts';

export interface RelayDeps {
  readonly outbox: OutboxReader;
  readonly relays: RelayStore;
  readonly publisher: EventPublisher;
  /** Told how many events were published. */
  readonly published?: (events: number) => void;
}

const BATCH = 500;

/**
 * Publishes what the outbox has after the position, and moves it. A relay that was paused between the two finds that
 * another one has moved it, and goes on from there: it may have repeated events, and never skips one.
 *
 * @returns whether there may be more
 * @throws StoreUnavailable, EventTransportUnavailable; the signal's reason on abort
 */
export async function relayEvents(
  { outbox, relays, publisher, published }: RelayDeps,
  signal: AbortSignal,
): Promise<{ readonly more: boolean }> {
  const { topic } = publisher;
  const from = await relays.position(topic, signal);
  const batch = await outbox.read(from, BATCH, signal);
  const last = batch.events.at(-1);
  if (last !== undefined) {
    await publisher.publish(batch, signal);
    published?.(batch.events.length);
  }
  await relays.move(topic, { from, to: last?.place ?? from }, signal);
  return { more: batch.events.length === BATCH };
}
