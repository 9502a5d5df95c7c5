import type { EventPublisher } from '@sightline/core/events/event-publisher';
import type { OutboxReader } from '@sightline/core/events/outbox-reader';
import type { EventStream } from '@sightline/core/events/event-stream';
import { connectKafka } from '@sightline/events/kafka/kafka-connection';
import { KafkaEventPublisher } from '@sightline/events/kafka/kafka-event-publisher';
import { KafkaEventStream } from '@sightline/events/kafka/kafka-event-stream';
import {
  type KafkaSettings,
  readKafkaSettings,
} from '@sightline/platform/config/read-kafka-settings';
import type { Config } from '@sightline/platform/config/variable-groups';
import type { Logger } from '@sightline/platform/logging/logger';
import { openEvents } from './open-events.ts';

/** The publisher and the stream of events over Kafka. They connect on demand. */
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

/**
 * The Kafka of the configuration; null if there is none.
 *
 * @throws StartError if its configuration cannot be used
 */
export function openKafkaOf(config: Config<'kafka'>, logger: Logger): OpenedKafka | null {
  const settings = readKafkaSettings(config);
  return settings && openKafka(settings, logger);
}

export interface EventStreamDeps {
  readonly config: Config<'kafka'>;
  readonly outbox: OutboxReader;
  readonly logger: Logger;
}

/**
 * The stream of events for a process of the platform: from Kafka if it is configured, else from the outbox.
 *
 * @throws StartError if the configuration of Kafka cannot be used
 */
export function openEventStream({ config, outbox, logger }: EventStreamDeps): EventStream {
  return openKafkaOf(config, logger)?.stream ?? openEvents(outbox, { isNudged: false });
}
