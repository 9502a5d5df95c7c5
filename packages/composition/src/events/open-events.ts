import type { OutboxReader } from '@sightline/core/events/outbox-reader';
import { EmbeddedEventStream } from '@sightline/events/embedded/embedded-event-stream';

/** The time between two polls of the outbox, in ms, in a process that writes no events. */
const POLL_MS = 100;
/**
 * The time between two polls, in ms, in a process whose own writes wake it. Polls are still needed, because other
 * processes may write events too.
 */
const WOKEN_POLL_MS = 1_000;

export function openEvents(
  outbox: OutboxReader,
  { isWoken }: { readonly isWoken: boolean },
): EmbeddedEventStream {
  return new EmbeddedEventStream(outbox, isWoken ? WOKEN_POLL_MS : POLL_MS);
}
