import type { EventPlace } from '@sightline/core/events/stored-event';
import type { AttemptPage, DueAttempt, EventPage } from '@sightline/core/webhooks/delivery-queue';

/**
 * The number and bytes of first attempts that are read at once. They are small, because one process holds many
 * webhooks.
 */
export const FIRST_PAGE: AttemptPage = { limit: 1024, bytes: 128 * 1024 };

/**
 * How far the first attempts have been read: first those with a row in the `queue`, which are older than all others,
 * then those that are only events of the `outbox`. When all events have been read, the reading has `caught up`, and
 * asks for newer ones.
 */
export type Reading =
  | { readonly from: 'queue'; readonly after: EventPlace | null; readonly outbox: EventPlace }
  | { readonly from: 'outbox' | 'caught up'; readonly outbox: EventPlace };

/** @param outbox the place up to which an earlier hold has made or queued the events */
export function beginReading(outbox: EventPlace): Reading {
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

/** The state of the supply of first attempts. */
export interface Supply {
  /** First attempts that have been read and have not begun. */
  readonly size: number;
  readonly bytes: number;
  /** Whether another request may begin, or one has ended since the last read. */
  readonly flows: boolean;
}

/**
 * Whether the supply of first attempts is `ample`, should be refilled (`low`), or need not be, because the endpoint
 * takes requests and answers none (`blocked`): such an endpoint costs the database nothing.
 */
export function supplyOf({ size, bytes, flows }: Supply): 'ample' | 'low' | 'blocked' {
  if (size > FIRST_PAGE.limit / 2 || bytes > FIRST_PAGE.bytes / 2) return 'ample';
  return flows ? 'low' : 'blocked';
}
