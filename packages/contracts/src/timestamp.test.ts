import { expect, test } from '@jest/globals';
import { timeFilter } from './timestamp.ts';

test.each([
  ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20T10:00:00.123Z', '2026-11-20T10:00:00.123Z'],
  ['2026-11-20T10:00:00+02:00', '2026-11-20T08:00:00.000Z'],
  ['2026-11-20', '2026-11-20T00:00:00.000Z'],
])('a time may be given as %s', (given, expected) => {
  expect(timeFilter.parse(given).toISOString()).toBe(expected);
});

test.each([
  '',
  'today',
  '20.11.2026',
  '2026-11-20T10:00:00',
  '2026-02-30',
  '0000-01-01',
  '9999-12-31T23:59:59-23:59',
  '1763632800',
])('%j is no time that can be stored', (given) => {
  expect(timeFilter.safeParse(given).success).toBe(false);
});

test('a refusal says how a time is written', () => {
  expect(timeFilter.safeParse('today').error?.issues[0]?.message).toBe(
    'Expected a date, or a time with an offset, such as 2026-11-20T10:00:00Z',
  );
});

test.each(['2026-11-20T10:00:00 02:00', '2026-11-20T10:00:00.5 0200'])(
  'a refusal of %j says that the plus has to be encoded',
  (given) => {
    expect(timeFilter.safeParse(given).error?.issues[0]?.message).toBe(
      'Expected a date, or a time with an offset, such as 2026-11-20T10:00:00Z; the plus of an offset has to be encoded as %2B in a URL',
    );
  },
);
