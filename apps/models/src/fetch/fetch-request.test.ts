import { expect, test } from '@jest/globals';
import { parseFetchRequest } from './fetch-request.ts';

test.each([
  [null, 'Set SIGHTLINE_FETCH to the model to fetch.'],
  ['{', 'SIGHTLINE_FETCH is not JSON.'],
  ['[]', /^SIGHTLINE_FETCH is not valid: Invalid input: expected object, received array\.$/],
])('%j is refused with a sentence', (text, sentence) => {
  expect(() => parseFetchRequest(text)).toThrow(sentence);
});
