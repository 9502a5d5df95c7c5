import { expect, test } from '@jest/globals';
import { parseJobSearch, parseJobsSearch } from './jobs-search.ts';

test.each([
  [{}, { status: undefined, type: undefined }],
  [
    { status: 'failed', type: 'export' },
    { status: 'failed', type: 'export' },
  ],
  [
    { status: ['failed'], type: 'x' },
    { status: undefined, type: undefined },
  ],
])('%j', (raw, search) => expect(parseJobsSearch(raw)).toEqual(search));

test('only a status selects items', () => {
  expect(parseJobSearch({ items: 'done' })).toEqual({ items: 'done' });
  expect(parseJobSearch({ items: 1 })).toEqual({ items: undefined });
});
