import { expect, test } from '@jest/globals';
import { parseUnknownSearch } from './unknown-search.ts';

const USUAL = { tab: undefined, threshold: undefined, sort: undefined };

test.each([
  [{}, USUAL],
  [
    { tab: 'faces', threshold: 0, sort: 'newest' },
    { tab: 'faces', threshold: 0, sort: 'newest' },
  ],
  [{ tab: 'groups', threshold: '0.5', sort: 'quality', other: 1 }, USUAL],
  [{ tab: ['faces'], threshold: 1.2, sort: null }, USUAL],
])('the address with %j means %j', (search, parsed) =>
  expect(parseUnknownSearch(search)).toEqual(parsed),
);
