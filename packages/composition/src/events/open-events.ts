import type { OutboxReader } from '@sightline/core/events/outbox-reader';
import { EmbeddedEventStream } from '@sightline/events/embedded/embedded-event-stream';

/** Interval in ms between polls of the outbox, for a process that writes no events itself. */
const POLL_MS = 100;
/** The interval for a process that its own writes wake. It still polls, because other processes may write, too. */
const NUDGED_POLL_MS = 1_000;

/** Opens the stream from which consumers read events. */
export function openEvents(
  outbox: OutboxReader,
  { isNudged }: { readonly isNudged: boolean },
): EmbeddedEventStream {
  return new EmbeddedEventStream(outbox, isNudged ? NUDGED_POLL_MS : POLL_MS);
}
