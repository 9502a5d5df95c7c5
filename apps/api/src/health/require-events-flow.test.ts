import { expect, test } from '@jest/globals';
import { requireEventsFlow } from './require-events-flow.ts';

const check = (lags: object, horizonAgeSeconds = 0) =>
  requireEventsFlow([{ feed: 0, webhooks: 0, ...lags }, { horizonAgeSeconds }]);

test('events flow while consumers are a moment behind', () => {
  expect(() => check({ feed: 59, webhooks: 59 }, 9)).not.toThrow();
});

test.each([
  [{ feed: 61.5 }, 0, 'The change feed is behind by 61 s.'],
  [{ webhooks: 90 }, 0, 'Webhooks are told of nothing new since 90 s.'],
  [{ feed: 90 }, 12, 'A transaction has been open for 12 s, and holds events back.'],
])('%j with a transaction of %i s: %s', (lags, horizon, sentence) => {
  expect(() => check(lags, horizon)).toThrow(sentence);
});
