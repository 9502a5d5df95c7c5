import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EventHint } from '@sightline/core/events/event-stream';
import { EventTransportUnavailable } from '@sightline/core/events/event-transport-unavailable';
import { connectKafka } from '@sightline/events/kafka/kafka-connection';
import { KafkaEventPublisher } from '@sightline/events/kafka/kafka-event-publisher';
import { KafkaEventStream } from '@sightline/events/kafka/kafka-event-stream';
import type { KafkaSettings } from '@sightline/platform/config/read-kafka-settings';
import { createLogger } from '@sightline/platform/logging/logger';
import { listenUntilEnd } from '../support/services/listen-until-end.ts';
import { hasKafkaLibraries, KafkaProcess } from '../support/servers/kafka-process.ts';
import { describeWithCertificates, makeCertificate } from '../support/servers/test-certificate.ts';

const NEVER = new AbortController().signal;
const [username, password] = ['sightline', 'much-hidden'];

const name = 'a Kafka that wants TLS and a login';
if (hasKafkaLibraries()) describeWithCertificates(name, describeSecured);
else describe.skip(`${name} [skipped: no Kafka; make tools needs Java and Maven]`, describeSecured);

function describeSecured(): void {
  const certificate = makeCertificate('IP:127.0.0.1');
  let kafka: KafkaProcess;
  beforeAll(async () => {
    kafka = await KafkaProcess.start({ login: { username, password, certificate } });
  });
  afterAll(async () => {
    await kafka[Symbol.asyncDispose]();
  });

  const settingsOf = (changes: Partial<KafkaSettings> = {}): KafkaSettings => ({
    brokers: [kafka.brokers],
    topic: 'events',
    partitions: 1,
    replicas: 1,
    mayCreateTopic: true,
    tls: { ca: certificate.authority },
    login: { mechanism: 'plain', username, password: () => [password] },
    ...changes,
  });

  test('carries events for those who have them', async () => {
    const settings = settingsOf();
    const client = connectKafka(settings, createLogger({ level: 'silent' }));
    await using publisher = new KafkaEventPublisher(client, settings);
    const stop = new AbortController();
    const followed: EventHint[] = [];
    const receiver = {
      take: () => Promise.resolve(),
      follow: (hints: readonly EventHint[]) => {
        followed.push(...hints);
        return Promise.resolve();
      },
    };
    await publisher.check(NEVER);
    const stream = new KafkaEventStream(client, settings);
    const ended = listenUntilEnd(() => stream.listen('feed', receiver, stop.signal));
    const event = {
      environmentId: 7,
      position: { xid: '9', id: 1 },
      previous: null,
      eventId: '019aa0f0-0000-7000-8000-000000000000',
      event: 'identity.deleted',
      version: 1,
      data: '{}',
      createdAt: new Date(),
    };
    // A listener that has just started may miss the first event.
    while (followed.length === 0) {
      await publisher.publish({ epoch: 'ours', events: [event] }, NEVER);
      const early = await Promise.race([ended, sleep(50)]);
      expect(early).toBeUndefined();
    }
    expect(followed[0]).toMatchObject({
      environmentId: 7,
      epoch: 'ours',
      position: event.position,
    });
    stop.abort();
    expect(await ended).toBe(stop.signal.reason);
  });

  test('gets the other password after a refused login, within one operation', async () => {
    const login = { mechanism: 'plain', username, password: () => ['new', password] } as const;
    const settings = settingsOf({ login });
    const client = connectKafka(settings, createLogger({ level: 'silent' }));
    await using publisher = new KafkaEventPublisher(client, settings);
    await publisher.check(NEVER);
  });

  test.each([
    ['another password', { login: { mechanism: 'plain', username, password: () => ['guessed'] } }],
    ['no login', { login: null }],
    ['an authority that did not sign', { tls: { ca: null } }],
    ['no TLS', { tls: null }],
  ] as const)('is away for those with %s, and nothing secret is logged', async (_what, changes) => {
    const log: string[] = [];
    const destination = { write: (line: string) => void log.push(line) };
    const settings = settingsOf(changes);
    const client = connectKafka(settings, createLogger({ level: 'debug', destination }));
    await using publisher = new KafkaEventPublisher(client, settings);
    const error = await publisher.check(NEVER).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EventTransportUnavailable);
    expect(String(error)).not.toMatch(/guessed|hidden/);
    expect(log.join('')).not.toMatch(/guessed|hidden/);
  });
}
