import { DomainError } from '@sightline/core/domain-error';
import type { ConsumerName } from '@sightline/core/events/event-stream';
import type { EventFlow } from './event-flow.ts';

/** Events reach consumers late or not at all. */
export class EventsHeldUp extends DomainError {
  readonly code = 'store_unavailable';
}

/** The longest time that an event may wait for a consumer, in seconds. */
const LONGEST_LAG = 60;
/**
 * The longest time for a writing transaction, in seconds. The events of later transactions are published only after
 * it ends.
 */
const LONGEST_TRANSACTION = 10;
/** The longest time between two heartbeats of a relay, in seconds. It is three times their interval. */
const LONGEST_SILENCE = 30;

const LATE: Readonly<Record<ConsumerName, string>> = {
  feed: 'The change feed is behind by',
  webhooks: 'Webhooks have received no new events for',
};

/** @throws EventsHeldUp */
export function requireEventsFlow({ lags, horizonAgeSeconds, kafka }: EventFlow): void {
  if (horizonAgeSeconds > LONGEST_TRANSACTION) {
    const seconds = Math.floor(horizonAgeSeconds);
    throw new EventsHeldUp(
      `A database transaction has been open for ${seconds} s and delays events.`,
    );
  }
  for (const [consumer, lag] of Object.entries(lags) as [ConsumerName, number][]) {
    if (lag > LONGEST_LAG) throw new EventsHeldUp(`${LATE[consumer]} ${Math.floor(lag)} s.`);
  }
  if (kafka !== null) requireRelay(kafka);
}

function requireRelay({ relay }: NonNullable<EventFlow['kafka']>): void {
  if (relay === null) throw new EventsHeldUp('No relay has published events to Kafka yet.');
  const { silentSeconds, lagSeconds } = relay;
  if (silentSeconds > LONGEST_SILENCE) {
    const seconds = Math.floor(silentSeconds);
    throw new EventsHeldUp(
      `No relay has published events for ${seconds} s: the relay or Kafka is unavailable. Events are read from the database.`,
    );
  }
  if (lagSeconds > LONGEST_LAG) {
    throw new EventsHeldUp(`Events reach Kafka ${Math.floor(lagSeconds)} s late.`);
  }
}
