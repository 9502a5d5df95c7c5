import type { EventPlace } from '@sightline/core/events/stored-event';
import type { AttemptPage, DueAttempt, EventPage } from '@sightline/core/webhooks/delivery-queue';

/**
 * The most first attempts, and the most bytes, that one query reads. The limits are low because one process has the
 * read attempts of many webhooks in memory.
 */
export const FIRST_PAGE: AttemptPage = { limit: 1024, bytes: 128 * 1024 };

/**
 * How far the first attempts have been read. Attempts with a row in the `queue` are older, so they are read first. Events
 * of the `outbox` follow. After the last event, the reading has `caught up`.
 */
export type Reading =
  | { readonly from: 'queue'; readonly after: EventPlace | null; readonly outbox: EventPlace }
  | { readonly from: 'outbox' | 'caught up'; readonly outbox: EventPlace };

/**
 * @param outbox the place in the outbox up to which all events were sent to this webhook or have a row in the queue
 */
export function startReading(outbox: EventPlace): Reading {
  return { from: 'queue', after: null, outbox };
}

export function afterQueued({ outbox }: Reading, read: readonly DueAttempt[]): Reading {
  const last = read.at(-1);
  return last === undefined
    ? { from: 'outbox', outbox }
    : { from: 'queue', after: last.place, outbox };
}

export function afterEvents({ end, hasMore }: Omit<EventPage, 'events'>): Reading {
  return { from: hasMore ? 'outbox' : 'caught up', outbox: end };
}

export interface Supply {
  /** The number of first attempts that have been read and not started. */
  readonly size: number;
  readonly bytes: number;
  /** Whether another request may start now, or a request has ended since the last read. */
  readonly flows: boolean;
}

/**
 * `ample`: enough first attempts have been read. `low`: more should be read. `blocked`: few have been read, but the
 * endpoint answers no request, so reading more would only burden the database.
 */
export function supplyOf({ size, bytes, flows }: Supply): 'ample' | 'low' | 'blocked' {
  if (size > FIRST_PAGE.limit / 2 || bytes > FIRST_PAGE.bytes / 2) return 'ample';
  return flows ? 'low' : 'blocked';
}
