import { EventTransportUnavailable } from '@sightline/core/events/event-transport-unavailable';
import type { KafkaSettings } from '@sightline/platform/config/read-kafka-settings';
import type { Logger } from '@sightline/platform/logging/logger';
import kafkajs, { type Admin, Kafka, type KafkaConfig, logLevel } from 'kafkajs';
import { restIdleQueues } from './rest-idle-queues.ts';

const CLIENT = 'sightline';
const CONNECT_MS = 5_000;
const REQUEST_MS = 10_000;
/** Retries of one request. Callers retry later, and log an outage once. */
const RETRY = { retries: 3, initialRetryTime: 200, maxRetryTime: 2_000 };
const UNKNOWN_TOPIC = 'UNKNOWN_TOPIC_OR_PARTITION';

/** A client of the cluster; it connects on demand. */
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
    // Logs only the text of an entry: other fields may contain configured values. Failures are also thrown.
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
 * Checks that the topic exists, and creates it if the settings allow that.
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
    const wanted = { topic, numPartitions: partitions, replicationFactor: replicas };
    await admin.createTopics({ waitForLeaders: true, topics: [wanted] });
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

/** Converts the errors of the client, all of which mean that Kafka is unavailable. */
export function asUnavailable(error: unknown): unknown {
  // A failure for several topics is an aggregate, which is not a KafkaJSError.
  if (error instanceof kafkajs.KafkaJSAggregateError) return asUnavailable(error.errors[0]);
  if (!(error instanceof kafkajs.KafkaJSError)) return error;
  return new EventTransportUnavailable('Kafka does not answer.', {}, { cause: error });
}
