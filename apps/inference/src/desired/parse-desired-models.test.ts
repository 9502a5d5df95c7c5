import { expect, test } from '@jest/globals';
import { parseDesiredModels } from './parse-desired-models.ts';

const A = 'a'.repeat(64);

function model(task: string, revision: string) {
  return { name: `model-${revision[0]!}`, task, revision, keep: 'loaded' };
}

test('a document is read without members that a newer writer adds', () => {
  const models = [model('face', A)];
  const text = JSON.stringify({ models: [{ ...models[0], since: 1 }], version: 2 });
  expect(parseDesiredModels(text)).toEqual({ provider: 'auto', models });
});

test('a document may have any number of models', () => {
  const models = Array.from({ length: 500 }, () => model('face', A));
  expect(parseDesiredModels(JSON.stringify({ models })).models).toHaveLength(500);
});

test.each([
  ['', 'The desired models are not JSON.'],
  ['{"models":[', 'The desired models are not JSON.'],
  ['{}', /models/],
  ['[]', /^The desired models are not valid: Invalid input: expected object, received array\.$/],
  [JSON.stringify({ models: [model('face', 'x')] }), /revision: must be a SHA-256/],
  [JSON.stringify({ models: [{ ...model('face', A), keep: 'all' }] }), /keep/],
  [JSON.stringify({ models: [model('speech', A)] }), /task/],
])('%j is refused with a sentence', (text, sentence) => {
  expect(() => parseDesiredModels(text)).toThrow(sentence);
});
