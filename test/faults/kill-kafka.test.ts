import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import kafkajs from 'kafkajs';
import fc from 'fast-check';
import { hasKafkaLibraries, KafkaProcess } from '../support/servers/kafka-process.ts';
import { openWebhookSink, type WebhookSink } from '../support/servers/webhook-sink.ts';
import {
  type EventPlatform,
  KAFKA_VICTIMS,
  openEventPlatform,
  VICTIMS,
} from '../support/services/event-platform.ts';
import { testInSoak } from '../support/gates/soak.ts';
import { type Deliveries, expectDelivered } from './expect-delivered.ts';

const SEED = Date.now() % 1_000_000;
const ROUNDS = 60;
const TOPIC = 'sightline.events';

const name = 'events over a Kafka that is killed';
const describeKills = hasKafkaLibraries()
  ? (body: () => void) => describe(name, body)
  : (body: () => void) =>
      describe.skip(`${name} [skipped: no Kafka; make tools needs Java and Maven]`, body);

describeKills(() => {
  let resources: AsyncDisposableStack;
  let broker: KafkaProcess;
  let events: EventPlatform;
  let sink: WebhookSink;
  let deliveries: Deliveries;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    broker = resources.use(await KafkaProcess.start({ sessionMs: 4_000 }));
    sink = resources.use(await openWebhookSink());
    events = resources.use(await openEventPlatform(broker));
    const [environmentId] = events.environmentIds as [number];
    await events.register(environmentId, { url: `${sink.url}/all`, events: [] });
    deliveries = { events, sink, webhooks: [{ environmentId, path: '/all', filter: null }] };
    for (const each of ['relay-1', 'relay-2', 'projector', 'dispatcher-1'] as const) {
      await events.start(each);
    }
  });
  afterAll(async () => {
    await resources.disposeAsync();
  });

  /** Emits events about identities in the first environment. */
  async function emit(identityIds: readonly number[]): Promise<void> {
    const [environmentId] = events.environmentIds as [number];
    for (const identityId of identityIds) {
      await events.database.withEntities({ environmentId, locks: [] }, (tx) =>
        tx.emit({ event: 'identity_deleted', facts: { identityId } }),
      );
    }
  }

  /** Waits until the relays have published all events. */
  const untilPublished = () =>
    events.untilThere(
      `SELECT FROM relay_positions r WHERE (r.xid, r.id) =
         (SELECT xid, id FROM outbox ORDER BY outbox.xid DESC, id DESC LIMIT 1)`,
    );

  /** Returns the number of events that both relays together have published since they started. */
  async function published(): Promise<number> {
    const counts = (['relay-1', 'relay-2'] as const).map(async (relay) => {
      const text = await (await fetch(events.metricsUrl(relay))).text();
      return Number(/^sightline_events_published_total (\d+)$/m.exec(text)?.[1] ?? 0);
    });
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  async function withAdmin(use: (admin: kafkajs.Admin) => Promise<void>): Promise<void> {
    const client = new kafkajs.Kafka({
      brokers: [broker.brokers],
      logLevel: kafkajs.logLevel.NOTHING,
    });
    const admin = client.admin();
    await admin.connect();
    await use(admin);
    await admin.disconnect();
  }

  test('all events are published and delivered', async () => {
    await emit([1, 2, 3]);
    await untilPublished();
    expect(await published()).toBe(3);
    await expectDelivered(deliveries);
  });

  test('while Kafka is unavailable, all events are delivered; the topic gets them afterwards', async () => {
    await events.kill('broker');
    await emit([4, 5]);
    await expectDelivered(deliveries);
    await events.start('broker');
    await untilPublished();
    expect(await published()).toBeGreaterThanOrEqual(5);
  });

  test('a topic that is deleted is made again, and nothing is missing', async () => {
    await withAdmin((admin) => admin.deleteTopics({ topics: [TOPIC] }));
    await emit([6, 7]);
    await expectDelivered(deliveries);
    await untilPublished();
  });

  test('what another client writes into the topic moves no consumer', async () => {
    const [environmentId] = events.environmentIds as [number];
    const [{ epoch } = { epoch: '' }] = await events.query<{ epoch: string }>(
      'SELECT outbox_epoch AS epoch FROM installation',
    );
    const client = new kafkajs.Kafka({
      brokers: [broker.brokers],
      logLevel: kafkajs.logLevel.NOTHING,
    });
    const producer = client.producer({
      createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
    });
    await producer.connect();
    const value = JSON.stringify({ event: 'identity.deleted', data: {}, environment_id: 1 });
    const positions = ['18446744073709551615:1', '0:0', '9'];
    await producer.send({
      topic: TOPIC,
      messages: positions.map((position) => ({
        key: String(environmentId),
        value,
        headers: { epoch, position, previous: '0:0', version: '1' },
      })),
    });
    await producer.disconnect();
    await emit([8, 9]);
    await expectDelivered(deliveries);
  });

  test('a relay that pauses is followed by another one, and skips nothing when it goes on', async () => {
    const resume = events.hang('relay-1');
    await emit([10]);
    await untilPublished();
    const resumeOther = events.hang('relay-2');
    resume();
    await emit([11]);
    await untilPublished();
    resumeOther();
    await emit([12]);
    await untilPublished();
    await expectDelivered(deliveries);
  });

  testInSoak('any process, at any moment, while twelve write', async () => {
    process.stderr.write(`random kills with seed ${SEED}\n`);
    for (const each of ['dispatcher-2', 'writers'] as const) await events.start(each);
    const round = fc.record({
      victim: fc.constantFrom(...VICTIMS, ...KAFKA_VICTIMS),
      afterMs: fc.nat({ max: 1500 }),
    });
    for (const { victim, afterMs } of fc.sample(round, { seed: SEED, numRuns: ROUNDS })) {
      await sleep(afterMs);
      await events.kill(victim);
      await sleep(afterMs);
      await events.start(victim);
    }
    await events.kill('writers');
    await expectDelivered(deliveries);
    await untilPublished();
  });
});
