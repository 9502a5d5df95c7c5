import type { EventPosition } from '@sightline/core/events/stored-event';
import type { AttemptPage, DueAttempt, EventPage } from '@sightline/core/webhooks/delivery-queue';

/** The most events that one query reads. Those to which the webhook does not subscribe take no memory. */
const MOST_READ = 1024;
/** The most bytes of messages that one query reads for each request that may be in flight. */
const BYTES_PER_REQUEST = 16 * 1024;

/**
 * The limits of one query for first attempts. They are low because one process has the read attempts of many webhooks in
 * memory, where a short message takes seven times its bytes.
 *
 * @param window how many requests may be in flight. An endpoint that hangs has few, and needs few messages
 * @param share the bytes that this webhook may have of those for all webhooks of the process
 */
export function pageFor(window: number, share: number): AttemptPage {
  return { limit: MOST_READ, bytes: Math.floor(Math.min(BYTES_PER_REQUEST * window, share)) };
}

/**
 * How far the first attempts have been read. Attempts with a row in the `queue` are older, so they are read first. Events
 * of the `outbox` follow. After the last event, the reading has `caught up`.
 */
export type Reading =
  | { readonly from: 'queue'; readonly after: EventPosition | null; readonly outbox: EventPosition }
  | { readonly from: 'outbox' | 'caught up'; readonly outbox: EventPosition };

/**
 * @param outbox the position in the outbox up to which all events were sent to this webhook or have a row in the queue
 */
export function startReading(outbox: EventPosition): Reading {
  return { from: 'queue', after: null, outbox };
}

export function afterQueued({ outbox }: Reading, read: readonly DueAttempt[]): Reading {
  const last = read.at(-1);
  return last === undefined
    ? { from: 'outbox', outbox }
    : { from: 'queue', after: last.position, outbox };
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
export function supplyOf(
  { size, bytes, flows }: Supply,
  page: AttemptPage,
): 'ample' | 'low' | 'blocked' {
  if (size > page.limit / 2 || bytes > page.bytes / 2) return 'ample';
  return flows ? 'low' : 'blocked';
}
