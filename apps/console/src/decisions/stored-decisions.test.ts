/** @jest-environment jsdom */
import { afterEach, expect, test } from '@jest/globals';
import type { Decision } from './decision-state.ts';
import { readDecisions, storeDecisions } from './stored-decisions.ts';

const DECISION: Decision = {
  id: 'a',
  face: 7,
  verdict: { kind: 'reject' },
  seen: { status: 'pending' },
  wasSent: false,
};
const NAME = 'sightline.decisions.ada.1';

afterEach(() => sessionStorage.clear());

test('decisions are those of an account and an environment', () => {
  storeDecisions('ada', 1, [DECISION]);
  expect(readDecisions('ada', 1)).toEqual([DECISION]);
  expect(readDecisions('bea', 1)).toEqual([]);
  expect(readDecisions('ada', 2)).toEqual([]);
  storeDecisions('ada', 1, []);
  expect(sessionStorage.getItem(NAME)).toBeNull();
});

test.each(['', '{', '5', '{}', '[null, "a", {"id": "x", "face": 1}]'])(
  'stored %s holds no decision',
  (stored) => {
    sessionStorage.setItem(NAME, stored);
    expect(readDecisions('ada', 1)).toEqual([]);
  },
);
