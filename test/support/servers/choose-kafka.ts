import { describe } from '@jest/globals';
import { freePort } from '@sightline/dev-platform/free-port';
import { KAFKA_IMAGE } from '@sightline/dev-platform/kafka-image';
import { hasDocker } from '../gates/has-docker.ts';
import { hasKafkaLibraries, KafkaProcess } from './kafka-process.ts';

export interface TestKafka extends AsyncDisposable {
  /** The address as `host:port`, or several addresses separated by commas. */
  readonly brokers: string;
}

/** Describes a suite that needs a Kafka. It is skipped if there is no Kafka. */
export function describeWithKafka(
  name: string,
  body: (start: () => Promise<TestKafka>) => void,
): void {
  const start = chooseKafka();
  if (start !== null) describe(name, () => body(start));
  else
    describe.skip(`${name} [skipped: no Kafka; make tools needs Java and Maven]`, () => undefined);
}

/**
 * Chooses how to start a Kafka: the server that the environment names, otherwise a container,
 * otherwise a process.
 */
function chooseKafka(): (() => Promise<TestKafka>) | null {
  const brokers = process.env.SIGHTLINE_TEST_KAFKA_BROKERS ?? '';
  if (brokers !== '') {
    return () => Promise.resolve({ brokers, [Symbol.asyncDispose]: () => Promise.resolve() });
  }
  if (hasDocker()) return startContainer;
  return hasKafkaLibraries() ? () => KafkaProcess.start() : null;
}

/** Starts a container whose port is the same on the host, because the broker tells clients its own address. */
async function startContainer(): Promise<TestKafka> {
  // Importing the module takes a second, and most machines use another Kafka.
  const { GenericContainer, Wait } = await import('testcontainers');
  const port = await freePort();
  const container = await new GenericContainer(KAFKA_IMAGE)
    .withExposedPorts({ container: port, host: port })
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_LISTENERS: `PLAINTEXT://:${port},CONTROLLER://:9093`,
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
    })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .start();
  return {
    brokers: `127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      await container.stop();
    },
  };
}
