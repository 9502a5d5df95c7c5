import type { EventPublisher } from '@sightline/core/events/event-publisher';
import type { EventBatch } from '@sightline/core/events/event-stream';
import type { KafkaSettings } from '@sightline/platform/config/read-kafka-settings';
import { CompressionTypes, type Kafka, Partitioners, type Producer } from 'kafkajs';
import { asUnavailable, ensureTopic } from './kafka-connection.ts';
import { toKafkaMessage } from './kafka-message.ts';

/** Publishes events in a topic. */
export class KafkaEventPublisher implements EventPublisher, AsyncDisposable {
  readonly topic: string;
  readonly #kafka: Kafka;
  readonly #settings: KafkaSettings;
  #producer: Promise<Producer> | null = null;

  constructor(kafka: Kafka, settings: KafkaSettings) {
    this.topic = settings.topic;
    this.#kafka = kafka;
    this.#settings = settings;
  }

  async publish({ epoch, events }: EventBatch, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    try {
      const producer = await (this.#producer ??= this.#connect());
      await producer.send({
        topic: this.topic,
        acks: -1,
        compression: CompressionTypes.GZIP,
        messages: events.map((event) => {
          const { key, value, headers } = toKafkaMessage(event, epoch);
          return { key, value, headers: { ...headers } };
        }),
      });
    } catch (error) {
      // The next one begins anew: the topic may be gone, and made again then.
      await this[Symbol.asyncDispose]();
      signal.throwIfAborted();
      throw asUnavailable(error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const producer = this.#producer;
    this.#producer = null;
    await producer?.then((connected) => connected.disconnect()).catch(() => undefined);
  }

  async #connect(): Promise<Producer> {
    await ensureTopic(this.#kafka, this.#settings);
    const producer = this.#kafka.producer({
      idempotent: true,
      // Else a batch that is sent again may overtake the one after it.
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
    });
    await producer.connect();
    return producer;
  }
}
