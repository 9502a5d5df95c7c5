import { describe, expect, test } from '@jest/globals';
import { MODEL_LIFE, type ModelEvent, type ModelStatus } from './model-life.ts';

const STATUSES = Object.keys(MODEL_LIFE) as ModelStatus[];
const EVENTS = Object.keys(MODEL_LIFE.available) as ModelEvent[];

/** The status after these events; null if one of them cannot happen. */
function statusAfter(from: ModelStatus, ...events: readonly ModelEvent[]): ModelStatus | null {
  return events.reduce<ModelStatus | null>(
    (status, event) => status && MODEL_LIFE[status][event],
    from,
  );
}

test('every status answers every event', () => {
  for (const status of STATUSES) {
    expect(Object.keys(MODEL_LIFE[status])).toEqual(EVENTS);
    for (const event of EVENTS) {
      expect([null, ...STATUSES]).toContain(MODEL_LIFE[status][event]);
    }
  }
});

test.each<[ModelStatus, readonly ModelEvent[], ModelStatus | null]>([
  ['available', ['download', 'found', 'load', 'activate'], 'active'],
  ['available', ['found', 'activate', 'replace'], 'downloaded'],
  ['downloading', ['fail', 'download'], 'downloading'],
  ['downloading', ['cancel', 'download'], 'downloading'],
  ['downloaded', ['cancel'], null],
  ['downloaded', ['load', 'fail'], 'failed'],
  ['failed', ['found', 'activate'], 'active'],
  ['loading', ['found'], 'loading'],
  ['active', ['found', 'activate'], 'active'],
  ['available', ['activate'], null],
  ['failed', ['activate'], null],
  ['downloading', ['activate'], null],
])('%s, then %j: %s', (from, events, to) => {
  expect(statusAfter(from, ...events)).toBe(to);
});

describe('an active model', () => {
  test('becomes active only by its activation', () => {
    for (const status of STATUSES.filter((each) => each !== 'active')) {
      const events = EVENTS.filter((event) => MODEL_LIFE[status][event] === 'active');
      expect(events).toEqual(['downloaded', 'loading'].includes(status) ? ['activate'] : []);
    }
  });

  test('stays active until another one replaces it, and can be activated again', () => {
    const ends = EVENTS.filter((event) => !['active', null].includes(MODEL_LIFE.active[event]));
    expect(ends).toEqual(['replace']);
    expect(statusAfter('active', 'replace', 'activate')).toBe('active');
  });
});
