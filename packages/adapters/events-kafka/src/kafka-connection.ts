import { EventTransportUnavailable } from '@sightline/core/events/event-transport-unavailable';
import type { KafkaSettings } from '@sightline/platform/config/read-kafka-settings';
import type { Logger } from '@sightline/platform/logging/logger';
import kafkajs, { Kafka, type KafkaConfig, logLevel } from 'kafkajs';

const CLIENT = 'sightline';
const CONNECT_MS = 5_000;
const REQUEST_MS = 10_000;
/** Of one request. What calls tries again later: an outage is said once then. */
const RETRY = { retries: 3, initialRetryTime: 200, maxRetryTime: 2_000 };

/** A client of the cluster; it connects on demand. */
export function connectKafka(settings: KafkaSettings, logger: Logger): Kafka {
  const { brokers, tls, login } = settings;
  const config: KafkaConfig = {
    clientId: CLIENT,
    brokers: [...brokers],
    connectionTimeout: CONNECT_MS,
    requestTimeout: REQUEST_MS,
    retry: RETRY,
    logLevel: logLevel.WARN,
    // Of its entries only the text: others may name what is configured. Failures are thrown as well.
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
 * Makes the topic unless it is there.
 *
 * @throws EventTransportUnavailable
 */
export async function ensureTopic(
  kafka: Kafka,
  { topic, partitions, replicas, mayCreateTopic }: KafkaSettings,
): Promise<void> {
  if (!mayCreateTopic) return;
  const admin = kafka.admin();
  try {
    await admin.connect();
    const wanted = { topic, numPartitions: partitions, replicationFactor: replicas };
    await admin.createTopics({ waitForLeaders: true, topics: [wanted] });
  } catch (error) {
    throw asUnavailable(error);
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

/** Whatever the client throws means that Kafka does not do its work now. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof kafkajs.KafkaJSError)) return error;
  return new EventTransportUnavailable('Kafka does not answer.', {}, { cause: error });
}
