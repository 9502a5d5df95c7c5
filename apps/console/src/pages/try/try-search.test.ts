import { expect, test } from '@jest/globals';
import { parseTrySearch } from './try-search.ts';

const NONE = {
  tab: undefined,
  type: undefined,
  threshold: undefined,
  score: undefined,
  against: undefined,
  person: undefined,
};

test('the address keeps the tab and its choices', () => {
  const search = {
    tab: 'verify',
    type: 'faces',
    threshold: -0.25,
    score: 0.5,
    against: 'person',
    person: 7,
  } as const;
  expect(parseTrySearch(search)).toEqual(search);
});

test.each([
  {},
  { tab: 'delete', type: 'cats', threshold: 2, score: -0.1, against: 'photo', person: -1 },
  { tab: 1, type: null, threshold: '0.5', score: NaN, person: 1.5 },
])('values that are not valid are absent: %j', (raw) => {
  expect(parseTrySearch(raw)).toEqual(NONE);
});
