import type { EventPublisher } from '@sightline/core/events/event-publisher';
import type { OutboxReader } from '@sightline/core/events/outbox-reader';
import type { EventStream } from '@sightline/core/events/event-stream';
import {
  type KafkaSettings,
  readKafkaSettings,
} from '@sightline/platform/config/read-kafka-settings';
import type { Config } from '@sightline/platform/config/variable-groups';
import type { Logger } from '@sightline/platform/logging/logger';
import { openEvents } from './open-events.ts';

/** The event publisher and the event stream over Kafka. They connect when they are first used. */
export interface OpenedKafka extends AsyncDisposable {
  readonly publisher: EventPublisher;
  readonly stream: EventStream;
}

/** Loads the client library, which a process without Kafka starts faster without. */
async function openKafka(settings: KafkaSettings, logger: Logger): Promise<OpenedKafka> {
  const { connectKafka } = await import('@sightline/events/kafka/kafka-connection');
  const { KafkaEventPublisher } = await import('@sightline/events/kafka/kafka-event-publisher');
  const { KafkaEventStream } = await import('@sightline/events/kafka/kafka-event-stream');
  const kafka = connectKafka(settings, logger);
  const publisher = new KafkaEventPublisher(kafka, settings);
  return {
    publisher,
    stream: new KafkaEventStream(kafka, settings),
    [Symbol.asyncDispose]: () => publisher[Symbol.asyncDispose](),
  };
}

/**
 * Opens the configured Kafka; null if the configuration names none.
 *
 * @throws StartError if the configuration of Kafka is invalid
 */
export async function openKafkaOf(
  config: Config<'kafka'>,
  logger: Logger,
): Promise<OpenedKafka | null> {
  const settings = readKafkaSettings(config);
  return settings && (await openKafka(settings, logger));
}

export interface EventStreamDeps {
  readonly config: Config<'kafka'>;
  readonly outbox: OutboxReader;
  readonly logger: Logger;
}

/**
 * Opens the event stream of a process: from Kafka if it is configured, otherwise from the outbox.
 *
 * @throws StartError if the configuration of Kafka is invalid
 */
export async function openEventStream({
  config,
  outbox,
  logger,
}: EventStreamDeps): Promise<EventStream> {
  const kafka = await openKafkaOf(config, logger);
  return kafka?.stream ?? openEvents(outbox, { isWoken: false });
}
