import { DomainError } from '@sightline/core/domain-error';
import type { ConsumerName } from '@sightline/core/events/event-stream';
import type { OutboxState } from '@sightline/core/maintenance/maintenance-store';

/** Events reach nobody, or late. */
export class EventsHeldUp extends DomainError {
  readonly code = 'store_unavailable';
}

/** An event has to be taken within this time, in seconds. */
const LONGEST_LAG = 60;
/** A writing transaction has to end within this time, in seconds: no later event is told before. */
const LONGEST_TRANSACTION = 10;

const LATE: Readonly<Record<ConsumerName, string>> = {
  feed: 'The change feed is behind by',
  webhooks: 'Webhooks are told of nothing new since',
};

/** @throws EventsHeldUp */
export function requireEventsFlow([lags, { horizonAgeSeconds }]: readonly [
  Readonly<Record<ConsumerName, number>>,
  Pick<OutboxState, 'horizonAgeSeconds'>,
]): void {
  if (horizonAgeSeconds > LONGEST_TRANSACTION) {
    const seconds = Math.floor(horizonAgeSeconds);
    throw new EventsHeldUp(`A transaction has been open for ${seconds} s, and holds events back.`);
  }
  for (const [consumer, lag] of Object.entries(lags) as [ConsumerName, number][]) {
    if (lag > LONGEST_LAG) throw new EventsHeldUp(`${LATE[consumer]} ${Math.floor(lag)} s.`);
  }
}
