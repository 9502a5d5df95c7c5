import type { ConsumerName } from '@sightline/core/events/event-stream';
import type { RelayState } from '@sightline/core/events/relay-store';
import type { ApiContext } from '../context/api-context.ts';

/** How events get from the outbox to those that consume them. */
export interface EventFlow {
  /** How long the event that each consumer takes next has waited, in seconds; 0 if there is none. */
  readonly lags: Readonly<Record<ConsumerName, number>>;
  /** Age of the oldest open writing transaction, in seconds: no later event is published before it ends. */
  readonly horizonAgeSeconds: number;
  /** Over Kafka; null: consumers read the outbox themselves. */
  readonly kafka: {
    /** Null: none has published in this topic. */
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
