import type { ConsumerName, EventReceiver, EventStream } from '@sightline/core/events/event-stream';
import type { KafkaSettings } from '@sightline/platform/config/read-kafka-settings';
import { orAbort } from '@sightline/platform/resilience/or-abort';
import type { Consumer, Kafka } from 'kafkajs';
import { EventHints } from './event-hints.ts';
import { asUnavailable, prepareTopic } from './kafka-connection.ts';
import { toHint } from './kafka-message.ts';

/** Time after which the group takes the partitions of a silent process, in ms. */
const SESSION_MS = 10_000;
const HEARTBEAT_MS = 3_000;
/** Longest time until the broker delivers a published message, in ms. */
const WAIT_MS = 100;
/** The maximum number of hints that one transaction handles. */
const BATCH = 100;

/**
 * Listens to a topic. Its messages are only hints: consumers read the events from the outbox. The processes of one
 * consumer share the topic's partitions.
 */
export class KafkaEventStream implements EventStream {
  readonly transport = 'kafka';
  readonly #kafka: Kafka;
  readonly #settings: KafkaSettings;

  constructor(kafka: Kafka, settings: KafkaSettings) {
    this.#kafka = kafka;
    this.#settings = settings;
  }

  /** @throws EventTransportUnavailable; the errors of the receiver; the signal's reason on abort */
  async listen(name: ConsumerName, receiver: EventReceiver, signal: AbortSignal): Promise<void> {
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
      throw asUnavailable(stopped.signal.aborted ? stopped.signal.reason : error);
    } finally {
      await consumer.disconnect().catch(() => undefined);
    }
  }

  #consumer(name: ConsumerName): Consumer {
    return this.#kafka.consumer({
      groupId: `${this.#settings.topic}.${name}`,
      sessionTimeout: SESSION_MS,
      heartbeatInterval: HEARTBEAT_MS,
      maxWaitTimeInMs: WAIT_MS,
      allowAutoTopicCreation: false,
      // A crash ends this call; the caller listens again.
      retry: { retries: 3, restartOnFailure: () => Promise.resolve(false) },
    });
  }

  /** Reading continues while hints are handled, so that the group never waits for the database. */
  async #read(consumer: Consumer, hints: EventHints): Promise<void> {
    const { topic } = this.#settings;
    await prepareTopic(this.#kafka, this.#settings);
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
