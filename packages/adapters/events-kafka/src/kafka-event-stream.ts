import type {
  ConsumerName,
  EventBatch,
  EventStream,
  TakeEvents,
} from '@sightline/core/events/event-stream';
import type { StoredEvent } from '@sightline/core/events/stored-event';
import type { KafkaSettings } from '@sightline/platform/config/read-kafka-settings';
import type { Consumer, Kafka } from 'kafkajs';
import { asUnavailable, ensureTopic } from './kafka-connection.ts';
import { fromKafkaMessage, type ReceivedMessage } from './kafka-message.ts';

/** How long the group waits for a process that died, in ms. */
const SESSION_MS = 10_000;
const HEARTBEAT_MS = 3_000;
/** Longest time until what is published comes, in ms. */
const WAIT_MS = 100;

/** Listens to a topic. The processes of one consumer share its partitions. */
export class KafkaEventStream implements EventStream {
  readonly transport = 'kafka';
  readonly #kafka: Kafka;
  readonly #settings: KafkaSettings;

  constructor(kafka: Kafka, settings: KafkaSettings) {
    this.#kafka = kafka;
    this.#settings = settings;
  }

  /** @throws EventTransportUnavailable; what `take` throws; the signal's reason on abort */
  async listen(name: ConsumerName, take: TakeEvents, signal: AbortSignal): Promise<void> {
    const { topic } = this.#settings;
    const ended = Promise.withResolvers<never>();
    // It may settle before anybody waits for it.
    ended.promise.catch(() => undefined);
    const abort = () => ended.reject(signal.reason);
    signal.addEventListener('abort', abort);
    const consumer = this.#kafka.consumer({
      groupId: `${topic}.${name}`,
      sessionTimeout: SESSION_MS,
      heartbeatInterval: HEARTBEAT_MS,
      maxWaitTimeInMs: WAIT_MS,
      allowAutoTopicCreation: false,
      // A crash ends this call; whoever listens begins again.
      retry: { retries: 3, restartOnFailure: () => Promise.resolve(false) },
    });
    consumer.on(consumer.events.CRASH, ({ payload }) => ended.reject(payload.error));
    try {
      signal.throwIfAborted();
      await ensureTopic(this.#kafka, this.#settings);
      await consumer.connect();
      await consumer.subscribe({ topic, fromBeginning: false });
      await this.#run(consumer, take, { signal, failed: ended.reject });
      await ended.promise;
    } catch (error) {
      signal.throwIfAborted();
      throw asUnavailable(error);
    } finally {
      signal.removeEventListener('abort', abort);
      await consumer.disconnect().catch(() => undefined);
    }
  }

  async #run(
    consumer: Consumer,
    take: TakeEvents,
    { signal, failed }: { readonly signal: AbortSignal; readonly failed: (error: unknown) => void },
  ): Promise<void> {
    await consumer.run({
      eachBatchAutoResolve: true,
      eachBatch: async (payload) => {
        try {
          for (const events of batchesOf(payload.batch.messages)) {
            await take(events, signal);
            await payload.heartbeat();
          }
        } catch (error) {
          failed(error);
        }
      },
    });
  }
}

/** Messages of one epoch together; what is none of ours is passed over. */
function batchesOf(messages: readonly ReceivedMessage[]): readonly EventBatch[] {
  const batches: { epoch: string; events: StoredEvent[] }[] = [];
  for (const message of messages) {
    const read = fromKafkaMessage(message);
    if (read === null) continue;
    const last = batches.at(-1);
    if (last?.epoch === read.epoch) last.events.push(read.event);
    else batches.push({ epoch: read.epoch, events: [read.event] });
  }
  return batches;
}
