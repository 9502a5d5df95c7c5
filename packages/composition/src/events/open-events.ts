import type { OutboxReader } from '@sightline/core/events/outbox-reader';
import { EmbeddedEventStream } from '@sightline/events/embedded/embedded-event-stream';

/** How often the outbox is looked at, in ms, by a process that nobody tells what was written. */
const POLL_MS = 100;
/** By one that is nudged by what it writes itself: others may write, too. */
const NUDGED_POLL_MS = 1_000;

/** What tells consumers of events. */
export function openEvents(
  outbox: OutboxReader,
  { isNudged }: { readonly isNudged: boolean },
): EmbeddedEventStream {
  return new EmbeddedEventStream(outbox, isNudged ? NUDGED_POLL_MS : POLL_MS);
}
