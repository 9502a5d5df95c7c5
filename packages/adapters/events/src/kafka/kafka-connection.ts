import { EventTransportUnavailable } from '@sightline/core/events/event-transport-unavailable';
import { Credential, withCredential } from '@sightline/platform/resilience/credential';
import type { KafkaLogin, KafkaSettings } from '@sightline/platform/config/read-kafka-settings';
import type { Logger } from '@sightline/platform/logging/logger';
import kafkajs, { type Admin, Kafka, type KafkaConfig, logLevel } from 'kafkajs';
import { restIdleQueues } from './rest-idle-queues.ts';

const CLIENT = 'sightline';
const CONNECT_MS = 5_000;
const REQUEST_MS = 10_000;
/** Retries of one request, with pauses in ms. Callers also retry, at longer intervals. */
const RETRY = { retries: 3, initialRetryTime: 200, maxRetryTime: 2_000 };
const LOGIN_REFUSED = 'KafkaJSSASLAuthenticationError';
const UNKNOWN_TOPIC = 'UNKNOWN_TOPIC_OR_PARTITION';

/** A client of a cluster, whose password may change while the client exists. */
export interface KafkaConnection {
  readonly kafka: Kafka;
  /**
   * Runs an operation, and repeats it with another valid password if the brokers refuse a login.
   *
   * @throws EventTransportUnavailable for any error of kafkajs; other errors of the operation
   */
  readonly run: (operation: () => Promise<void>) => Promise<void>;
}

/** Creates a client that connects on its first request. */
export function connectKafka(settings: KafkaSettings, logger: Logger): KafkaConnection {
  const { brokers, tls, login } = settings;
  restIdleQueues();
  const password = login === null ? null : new Credential(login.password);
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
    ...(login && password && { sasl: saslOf(login, password) }),
  };
  return {
    kafka: new Kafka(config),
    async run(operation) {
      try {
        await (password === null
          ? operation()
          : withCredential(password, operation, isLoginRefused));
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };
}

/** The login of each new connection. kafkajs reads the password whenever it logs in. */
function saslOf(
  { mechanism, username }: KafkaLogin,
  password: Credential,
): NonNullable<KafkaConfig['sasl']> {
  return {
    mechanism,
    username,
    get password() {
      return password.current;
    },
  } as NonNullable<KafkaConfig['sasl']>;
}

function isLoginRefused(outcome: PromiseSettledResult<void>): boolean {
  return outcome.status === 'rejected' && isLoginRefusal(outcome.reason);
}

function isLoginRefusal(error: unknown): boolean {
  if (error instanceof kafkajs.KafkaJSAggregateError) return error.errors.some(isLoginRefusal);
  if (!(error instanceof Error)) return false;
  return error.name === LOGIN_REFUSED || isLoginRefusal(error.cause);
}

/**
 * Checks that the topic exists. Creates the topic if it is missing and the settings allow that.
 *
 * @throws EventTransportUnavailable if it is missing and may not be created; the errors of kafkajs
 */
export async function prepareTopic(
  { kafka }: KafkaConnection,
  { topic, partitions, replicas, mayCreateTopic }: KafkaSettings,
): Promise<void> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    if (await hasTopic(admin, topic)) return;
    if (!mayCreateTopic) throw new EventTransportUnavailable(`Kafka has no topic "${topic}".`);
    const config = { topic, numPartitions: partitions, replicationFactor: replicas };
    await admin.createTopics({ waitForLeaders: true, topics: [config] });
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

function asUnavailable(error: unknown): unknown {
  // An error for several topics is an aggregate, and does not extend KafkaJSError.
  if (error instanceof kafkajs.KafkaJSAggregateError) return asUnavailable(error.errors[0]);
  if (!(error instanceof kafkajs.KafkaJSError)) return error;
  return new EventTransportUnavailable('Kafka does not answer.', {}, { cause: error });
}
