import { expect, test } from '@jest/globals';
import { parseReviewSearch } from './review-search.ts';

const USUAL = { tab: undefined, view: undefined, min: undefined, person: undefined };

test.each([
  [{}, USUAL],
  [
    { tab: 'open', view: 'person', min: 0.6, person: 7 },
    { tab: 'open', view: 'person', min: 0.6, person: 7 },
  ],
  [{ tab: 'suggested', view: 'one', min: 0, person: '7' }, USUAL],
  [{ tab: ['open'], view: 1, min: 'high', person: 1.5, other: 'x' }, USUAL],
  [{ min: 1.01, person: 1e300 }, USUAL],
])('the address with %j means %j', (search, parsed) =>
  expect(parseReviewSearch(search)).toEqual(parsed),
);
