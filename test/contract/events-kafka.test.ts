import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EventTransportUnavailable } from '@sightline/core/events/event-transport-unavailable';
import { EventRelay } from '@sightline/core/publishing/event-relay';
import { connectKafka } from '@sightline/events/kafka/kafka-connection';
import { KafkaEventPublisher } from '@sightline/events/kafka/kafka-event-publisher';
import { KafkaEventStream } from '@sightline/events/kafka/kafka-event-stream';
import type { KafkaSettings } from '@sightline/platform/config/read-kafka-settings';
import { createLogger } from '@sightline/platform/logging/logger';
import { openStoreFixture, type StoreFixture } from '../support/fixtures/store-fixture.ts';
import { describeWithKafka, type TestKafka } from '../support/servers/choose-kafka.ts';
import { describeEventStream } from './event-stream.contract.ts';

const logger = createLogger({ level: 'silent' });
const NEVER = new AbortController().signal;

describeWithKafka('a Kafka', (startKafka) => {
  let kafka: TestKafka;
  beforeAll(async () => {
    kafka = await startKafka();
  });
  afterAll(async () => {
    await kafka[Symbol.asyncDispose]();
  });

  const settingsOf = (topic: string): KafkaSettings => ({
    brokers: kafka.brokers.split(','),
    topic,
    partitions: 3,
    replicas: 1,
    mayCreateTopic: true,
    tls: null,
    login: null,
  });

  describeEventStream('events-kafka', async () => {
    const store = await openStoreFixture();
    const settings = settingsOf(`test-${randomUUID()}`);
    const client = connectKafka(settings, logger);
    const publisher = new KafkaEventPublisher(client, settings);
    const stop = new AbortController();
    const relayed = relay(store, publisher, stop.signal);
    return {
      store,
      open: () => new KafkaEventStream(client, settings),
      async [Symbol.asyncDispose]() {
        stop.abort();
        await relayed;
        await publisher[Symbol.asyncDispose]();
        await store[Symbol.asyncDispose]();
      },
    };
  });

  describe('publishing', () => {
    test('creates the topic with the configured number of partitions', async () => {
      const settings = settingsOf(`test-${randomUUID()}`);
      const client = connectKafka(settings, logger);
      await using publisher = new KafkaEventPublisher(client, settings);
      await publisher.check(NEVER);
      await publisher.check(NEVER);
      const admin = client.kafka.admin();
      await admin.connect();
      const { topics } = await admin.fetchTopicMetadata({ topics: [settings.topic] });
      await admin.disconnect();
      expect(topics[0]?.partitions).toHaveLength(3);
    });

    test('is refused where the topic is not there and must not be made', async () => {
      const settings = { ...settingsOf(`test-${randomUUID()}`), mayCreateTopic: false };
      await using publisher = new KafkaEventPublisher(connectKafka(settings, logger), settings);
      await expect(publisher.check(NEVER)).rejects.toThrow(EventTransportUnavailable);
    });

    test('more than a message holds is published in several requests', async () => {
      const settings = settingsOf(`test-${randomUUID()}`);
      await using publisher = new KafkaEventPublisher(connectKafka(settings, logger), settings);
      const event = (id: number) => ({
        environmentId: 1,
        position: { xid: '7', id },
        previous: null,
        eventId: randomUUID(),
        event: 'detection.deleted',
        version: 1,
        // The texts are random, so that compression does not bring them below the limit.
        data: JSON.stringify({ external_refs: randomTexts(600_000) }),
        createdAt: new Date(),
      });
      const events = [1, 2, 3, 4].map(event);
      await publisher.publish({ epoch: 'ours', events }, NEVER);
    });
  });

  test('an unreachable broker is an outage', async () => {
    const settings = { ...settingsOf('test'), brokers: ['127.0.0.1:1'] };
    const client = connectKafka(settings, logger);
    await using publisher = new KafkaEventPublisher(client, settings);
    const receiver = { take: () => Promise.resolve(), follow: () => Promise.resolve() };
    const stream = new KafkaEventStream(client, settings);
    await expect(publisher.check(NEVER)).rejects.toThrow(EventTransportUnavailable);
    await expect(stream.listen('feed', receiver, NEVER)).rejects.toThrow(EventTransportUnavailable);
  });
});

/** Publishes committed events, as the relay does. */
async function relay(
  { outbox, relays }: StoreFixture,
  publisher: KafkaEventPublisher,
  signal: AbortSignal,
): Promise<void> {
  const relaying = new EventRelay({ outbox, relays, publisher });
  for (;;) {
    try {
      const { more } = await relaying.publishNext(signal);
      if (!more) await sleep(20, undefined, { signal });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof EventTransportUnavailable)) throw error;
    }
  }
}

function randomTexts(length: number): readonly string[] {
  const texts: string[] = [];
  for (let left = length; left > 0; left -= 39) texts.push(randomUUID());
  return texts;
}
