import { expect, test } from '@jest/globals';
import { EventTransportUnavailable } from '@sightline/core/events/event-transport-unavailable';
import type { KafkaLogin } from '@sightline/platform/config/read-kafka-settings';
import { createLogger } from '@sightline/platform/logging/logger';
import kafkajs from 'kafkajs';
import { connectKafka } from './kafka-connection.ts';

// The types of kafkajs declare the error of a refused login without its message.
const refused = Object.assign(new kafkajs.KafkaJSNonRetriableError('Authentication failed.'), {
  name: 'KafkaJSSASLAuthenticationError',
});
const down = new kafkajs.KafkaJSConnectionError('Connection refused.');

/** Runs an operation that fails with these errors, one per attempt, before it succeeds. */
async function run(passwords: readonly string[] | null, errors: readonly Error[]) {
  const login: KafkaLogin | null = passwords && {
    mechanism: 'plain',
    username: 'sightline',
    password: () => passwords,
  };
  const settings = { brokers: ['127.0.0.1:9'], topic: 'events', partitions: 1, replicas: 1 };
  const connection = connectKafka(
    { ...settings, mayCreateTopic: false, tls: null, login },
    createLogger({ level: 'silent' }),
  );
  let attempts = 0;
  const running = connection.run(() => {
    const error = errors[attempts];
    attempts += 1;
    return error === undefined ? Promise.resolve() : Promise.reject(error);
  });
  const [outcome] = await Promise.allSettled([running]);
  return { attempts, error: outcome.status === 'rejected' ? (outcome.reason as unknown) : null };
}

const BOTH = ['new', 'old'];

test.each([
  { what: 'a refused login', errors: [refused] },
  {
    what: 'a refusal of one of several brokers',
    errors: [new kafkajs.KafkaJSAggregateError('Both failed.', [down, refused])],
  },
  {
    what: 'a refusal that caused another error',
    errors: [new Error('The consumer crashed.', { cause: refused })],
  },
])('an operation succeeds with the second password after $what', async ({ errors }) => {
  expect(await run(BOTH, errors)).toEqual({ attempts: 2, error: null });
});

test.each([
  { what: 'all passwords are refused', passwords: BOTH, errors: [refused, refused, refused] },
  { what: 'the only password is refused', passwords: ['new'], errors: [refused] },
  { what: 'no broker answers', passwords: BOTH, errors: [down] },
  { what: 'a login is required, and none is configured', passwords: null, errors: [refused] },
])('Kafka is unavailable if $what', async ({ passwords, errors }) => {
  const { attempts, error } = await run(passwords, errors);
  expect(attempts).toBe(errors.length);
  expect(error).toBeInstanceOf(EventTransportUnavailable);
});

test('other errors are thrown unchanged', async () => {
  const error = new Error('The receiver failed.');
  expect(await run(BOTH, [error])).toEqual({ attempts: 1, error });
});
