import type { EventPublisher } from '@sightline/core/events/event-publisher';
import type { EventStream } from '@sightline/core/events/event-stream';
import { connectKafka } from '@sightline/events-kafka/kafka-connection';
import { KafkaEventPublisher } from '@sightline/events-kafka/kafka-event-publisher';
import { KafkaEventStream } from '@sightline/events-kafka/kafka-event-stream';
import type { KafkaSettings } from '@sightline/platform/config/read-kafka-settings';
import type { Logger } from '@sightline/platform/logging/logger';

/** What carries events over Kafka; it connects on demand. */
export interface OpenedKafka extends AsyncDisposable {
  readonly publisher: EventPublisher;
  readonly stream: EventStream;
}

export function openKafka(settings: KafkaSettings, logger: Logger): OpenedKafka {
  const kafka = connectKafka(settings, logger);
  const publisher = new KafkaEventPublisher(kafka, settings);
  return {
    publisher,
    stream: new KafkaEventStream(kafka, settings),
    [Symbol.asyncDispose]: () => publisher[Symbol.asyncDispose](),
  };
}
