import type { OutboxReader } from '@sightline/core/events/outbox-reader';
import { EmbeddedEventStream } from '@sightline/events-embedded/embedded-event-stream';

/** What tells consumers of events. */
export function openEvents(outbox: OutboxReader): EmbeddedEventStream {
  return new EmbeddedEventStream(outbox);
}
