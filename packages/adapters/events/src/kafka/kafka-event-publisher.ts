import type { EventPublisher } from '@sightline/core/events/event-publisher';
import type { EventBatch } from '@sightline/core/events/event-stream';
import type { KafkaSettings } from '@sightline/platform/config/read-kafka-settings';
import { orAbort } from '@sightline/platform/resilience/or-abort';
import { CompressionTypes, Partitioners, type Producer } from 'kafkajs';
import { type KafkaConnection, prepareTopic } from './kafka-connection.ts';
import { type KafkaMessage, LONGEST_DATA, toKafkaMessage } from './kafka-message.ts';

export class KafkaEventPublisher implements EventPublisher, AsyncDisposable {
  readonly topic: string;
  readonly #connection: KafkaConnection;
  readonly #settings: KafkaSettings;
  #producer: Promise<Producer> | null = null;

  constructor(connection: KafkaConnection, settings: KafkaSettings) {
    this.topic = settings.topic;
    this.#connection = connection;
    this.#settings = settings;
  }

  async check(signal: AbortSignal): Promise<void> {
    await this.#try(() => prepareTopic(this.#connection, this.#settings), signal);
  }

  async publish({ epoch, events }: EventBatch, signal: AbortSignal): Promise<void> {
    await this.#try(async () => {
      const producer = await (this.#producer ??= this.#connect());
      for (const messages of requestsOf(events.map((event) => toKafkaMessage(event, epoch)))) {
        signal.throwIfAborted();
        await producer.send({
          topic: this.topic,
          acks: -1,
          compression: CompressionTypes.GZIP,
          messages: messages.map(({ headers, ...message }) => ({
            ...message,
            headers: { ...headers },
          })),
        });
      }
    }, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const producer = this.#producer;
    this.#producer = null;
    await producer?.then((connected) => connected.disconnect()).catch(() => undefined);
  }

  /** Runs the work. On abort the work is abandoned instead of canceled, because kafkajs takes no signals. */
  #try(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    return this.#connection.run(async () => {
      signal.throwIfAborted();
      try {
        await orAbort(work(), signal);
      } catch (error) {
        // The failed connection is closed, and the next attempt opens another one. That attempt also creates the topic,
        // which may have been deleted.
        void this[Symbol.asyncDispose]();
        signal.throwIfAborted();
        throw error;
      }
    });
  }

  async #connect(): Promise<Producer> {
    await prepareTopic(this.#connection, this.#settings);
    const producer = this.#connection.kafka.producer({
      idempotent: true,
      // A second request in flight could overtake a request that is retried, and events would change their order.
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
    });
    await producer.connect();
    return producer;
  }
}

/**
 * Splits messages into requests. Kafka limits the total size of a request's messages for one partition, so each request
 * stays below that limit.
 */
function requestsOf(messages: readonly KafkaMessage[]): readonly (readonly KafkaMessage[])[] {
  const requests: KafkaMessage[][] = [];
  let room = 0;
  for (const message of messages) {
    const bytes = Buffer.byteLength(message.value);
    if (bytes > room || requests.length === 0) {
      requests.push([]);
      room = LONGEST_DATA;
    }
    requests.at(-1)!.push(message);
    room -= bytes;
  }
  return requests;
}
