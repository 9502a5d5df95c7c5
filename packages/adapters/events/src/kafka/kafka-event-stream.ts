import type { ConsumerName, EventReceiver, EventStream } from '@sightline/core/events/event-stream';
import type { KafkaSettings } from '@sightline/platform/config/read-kafka-settings';
import { orAbort } from '@sightline/platform/resilience/or-abort';
import type { Consumer } from 'kafkajs';
import { EventHints } from './event-hints.ts';
import { type KafkaConnection, prepareTopic } from './kafka-connection.ts';
import { toHint } from './kafka-message.ts';

/** The time after which the consumer group reassigns the partitions of a silent process, in ms. */
const SESSION_MS = 10_000;
const HEARTBEAT_MS = 3_000;
/** The longest time that the broker holds a read request open while there are no messages, in ms. */
const WAIT_MS = 100;
/** The maximum number of hints that are handled in one transaction. */
const BATCH = 100;

/**
 * Listens to a topic of hints: messages only tell consumers to read the outbox. All processes with the same consumer
 * name form one consumer group and share the partitions.
 */
export class KafkaEventStream implements EventStream {
  readonly transport = 'kafka';
  readonly #connection: KafkaConnection;
  readonly #settings: KafkaSettings;

  constructor(connection: KafkaConnection, settings: KafkaSettings) {
    this.#connection = connection;
    this.#settings = settings;
  }

  /** @throws EventTransportUnavailable; errors of the receiver; the signal's reason on abort */
  listen(name: ConsumerName, receiver: EventReceiver, signal: AbortSignal): Promise<void> {
    return this.#connection.run(() => this.#listen(name, receiver, signal));
  }

  async #listen(name: ConsumerName, receiver: EventReceiver, signal: AbortSignal): Promise<void> {
    const hints = new EventHints();
    const stopped = new AbortController();
    const consumer = this.#consumer(name);
    consumer.on(consumer.events.CRASH, ({ payload }) => stopped.abort(payload.error));
    const cut = AbortSignal.any([signal, stopped.signal]);
    try {
      await orAbort(this.#read(consumer, hints), cut);
      for (;;) await receiver.follow(await hints.take(BATCH, cut), cut);
    } catch (error) {
      signal.throwIfAborted();
      throw stopped.signal.aborted ? stopped.signal.reason : error;
    } finally {
      await consumer.disconnect().catch(() => undefined);
    }
  }

  #consumer(name: ConsumerName): Consumer {
    return this.#connection.kafka.consumer({
      groupId: `${this.#settings.topic}.${name}`,
      sessionTimeout: SESSION_MS,
      heartbeatInterval: HEARTBEAT_MS,
      maxWaitTimeInMs: WAIT_MS,
      allowAutoTopicCreation: false,
      // kafkajs must not restart after a crash. In that case `listen` throws, and the caller calls `listen` again.
      retry: { retries: 3, restartOnFailure: () => Promise.resolve(false) },
    });
  }

  /** Reads hints in the background. Reading never waits for the database, so that the process keeps its partitions. */
  async #read(consumer: Consumer, hints: EventHints): Promise<void> {
    const { topic } = this.#settings;
    await prepareTopic(this.#connection, this.#settings);
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: false });
    await consumer.run({
      eachBatch({ batch }) {
        for (const message of batch.messages) {
          const hint = toHint(message);
          if (hint !== null) hints.add(hint);
        }
        return Promise.resolve();
      },
    });
  }
}
