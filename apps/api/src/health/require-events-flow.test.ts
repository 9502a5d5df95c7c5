import { expect, test } from '@jest/globals';
import type { EventFlow } from './event-flow.ts';
import { requireEventsFlow } from './require-events-flow.ts';

const check = (lags: object, changes: Partial<EventFlow> = {}) =>
  requireEventsFlow({
    lags: { feed: 0, webhooks: 0, ...lags },
    horizonAgeSeconds: 0,
    kafka: null,
    ...changes,
  });

test('events flow while consumers are a moment behind', () => {
  const relay = { lagSeconds: 59, silentSeconds: 29 };
  const changes = { horizonAgeSeconds: 9, kafka: { relay } };
  expect(() => check({ feed: 59, webhooks: 59 }, changes)).not.toThrow();
});

test.each([
  [{ feed: 61.5 }, 0, 'The change feed is behind by 61 s.'],
  [{ webhooks: 90 }, 0, 'Webhooks have received no new events for 90 s.'],
  [{ feed: 90 }, 12, 'A database transaction has been open for 12 s and delays events.'],
])('%j with a transaction of %i s: %s', (lags, horizonAgeSeconds, sentence) => {
  expect(() => check(lags, { horizonAgeSeconds })).toThrow(sentence);
});

test.each([
  [null, 'No relay has published events to Kafka yet.'],
  [{ lagSeconds: 0, silentSeconds: 31 }, 'No relay has published events for 31 s'],
  [{ lagSeconds: 70, silentSeconds: 1 }, 'Events reach Kafka 70 s late.'],
])('a relay that is %j: %s', (relay, sentence) => {
  expect(() => check({}, { kafka: { relay } })).toThrow(sentence);
});
