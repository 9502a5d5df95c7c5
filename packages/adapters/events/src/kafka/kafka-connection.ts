import { EventTransportUnavailable } from '@sightline/core/events/event-transport-unavailable';
import type { KafkaSettings } from '@sightline/platform/config/read-kafka-settings';
import type { Logger } from '@sightline/platform/logging/logger';
import kafkajs, { type Admin, Kafka, type KafkaConfig, logLevel } from 'kafkajs';
import { restIdleQueues } from './rest-idle-queues.ts';

const CLIENT = 'sightline';
const CONNECT_MS = 5_000;
const REQUEST_MS = 10_000;
/** Retries of one request, with pauses in ms. Callers also retry, at longer intervals. */
const RETRY = { retries: 3, initialRetryTime: 200, maxRetryTime: 2_000 };
const UNKNOWN_TOPIC = 'UNKNOWN_TOPIC_OR_PARTITION';

/** Creates a client that connects on its first request. */
export function connectKafka(settings: KafkaSettings, logger: Logger): Kafka {
  const { brokers, tls, login } = settings;
  restIdleQueues();
  const config: KafkaConfig = {
    clientId: CLIENT,
    brokers: [...brokers],
    connectionTimeout: CONNECT_MS,
    requestTimeout: REQUEST_MS,
    retry: RETRY,
    logLevel: logLevel.WARN,
    // Only the text of an entry is logged, because its other fields may contain configured secrets. The level `debug`
    // suffices, because failures are also thrown.
    logCreator:
      () =>
      ({ namespace, log }) =>
        logger.debug({ part: namespace }, `kafka: ${log.message}`),
    ...(tls && { ssl: tls.ca === null ? true : { ca: [tls.ca] } }),
    ...(login && { sasl: login as NonNullable<KafkaConfig['sasl']> }),
  };
  return new Kafka(config);
}

/**
 * Checks that the topic exists. Creates the topic if it is missing and the settings allow that.
 *
 * @throws EventTransportUnavailable
 */
export async function prepareTopic(
  kafka: Kafka,
  { topic, partitions, replicas, mayCreateTopic }: KafkaSettings,
): Promise<void> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    if (await hasTopic(admin, topic)) return;
    if (!mayCreateTopic) throw new EventTransportUnavailable(`Kafka has no topic "${topic}".`);
    const config = { topic, numPartitions: partitions, replicationFactor: replicas };
    await admin.createTopics({ waitForLeaders: true, topics: [config] });
  } catch (error) {
    throw asUnavailable(error);
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

async function hasTopic(admin: Admin, topic: string): Promise<boolean> {
  try {
    await admin.fetchTopicMetadata({ topics: [topic] });
    return true;
  } catch (error) {
    if (error instanceof kafkajs.KafkaJSProtocolError && error.type === UNKNOWN_TOPIC) return false;
    throw error;
  }
}

/** Converts any error of kafkajs to EventTransportUnavailable; returns other errors unchanged. */
export function asUnavailable(error: unknown): unknown {
  // An error for several topics is an aggregate, and does not extend KafkaJSError.
  if (error instanceof kafkajs.KafkaJSAggregateError) return asUnavailable(error.errors[0]);
  if (!(error instanceof kafkajs.KafkaJSError)) return error;
  return new EventTransportUnavailable('Kafka does not answer.', {}, { cause: error });
}
