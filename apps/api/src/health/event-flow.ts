import type { ConsumerName } from '@sightline/core/events/event-stream';
import type { RelayState } from '@sightline/core/events/relay-store';
import type { ApiContext } from '../context/api-context.ts';

export interface EventFlow {
  /** How long the next event of each consumer has waited, in seconds; 0 if no event waits. */
  readonly lags: Readonly<Record<ConsumerName, number>>;
  /**
   * The age of the oldest open writing transaction, in seconds. The events of later transactions are published only
   * after it ends.
   */
  readonly horizonAgeSeconds: number;
  /** The flow over Kafka; null if consumers read the outbox themselves. */
  readonly kafka: {
    /** Null if no relay has published to this topic yet. */
    readonly relay: Omit<RelayState, 'topic'> | null;
  } | null;
}

/** @throws StoreUnavailable */
export async function readEventFlow(
  {
    consumers,
    maintenance,
    relays,
    eventTopic,
  }: Pick<ApiContext, 'consumers' | 'maintenance' | 'relays' | 'eventTopic'>,
  signal: AbortSignal,
): Promise<EventFlow> {
  const [lags, { horizonAgeSeconds }, states] = await Promise.all([
    consumers.lags(signal),
    maintenance.outboxState(signal),
    eventTopic === null ? [] : relays.states(signal),
  ]);
  const relay = states.find(({ topic }) => topic === eventTopic) ?? null;
  return { lags, horizonAgeSeconds, kafka: eventTopic === null ? null : { relay } };
}
