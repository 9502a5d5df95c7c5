import { describe, expect, test } from '@jest/globals';
import type { ServedModel } from '@sightline/contracts/cluster/serving-file';
import { parseServingFile, setsOf } from './serving-file.ts';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];

function model(task: ServedModel['task'], revision: string, keep: ServedModel['keep'] = 'loaded') {
  return { name: `model-${revision[0]!}`, task, revision, keep };
}

describe('a serving file', () => {
  test('is read, and what a newer operator adds is passed over', () => {
    const models = [model('Face', A)];
    const text = JSON.stringify({ models: [{ ...models[0], since: 1 }], version: 2 });
    expect(parseServingFile(text)).toEqual({ models });
  });

  test('names as many models as there are', () => {
    const models = Array.from({ length: 500 }, () => model('Face', A, 'disk'));
    expect(parseServingFile(JSON.stringify({ models })).models).toHaveLength(500);
  });

  test.each([
    ['', 'The serving file is not JSON.'],
    ['{"models":[', 'The serving file is not JSON.'],
    ['{}', /models/],
    [JSON.stringify({ models: [{ ...model('Face', 'x') }] }), /revision: is no SHA-256/],
    [JSON.stringify({ models: [{ ...model('Face', A), keep: 'all' }] }), /keep/],
    [JSON.stringify({ models: [{ ...model('Face', A), task: 'Speech' }] }), /task/],
  ])('%j is refused with a sentence', (text, sentence) => {
    expect(() => parseServingFile(text)).toThrow(sentence);
  });
});

describe('the sets of a serving file', () => {
  test.each<[string, readonly ServedModel[], unknown]>([
    ['nothing', [], []],
    ['models that are kept on disk alone', [model('Face', A, 'disk')], []],
    ['one task', [model('Face', A)], [{ face: A }]],
    ['both tasks', [model('Face', A), model('OpenVocabulary', B)], [{ face: A, object: B }]],
    [
      'a successor',
      [model('Face', A), model('Face', B), model('Object', C)],
      [
        { face: A, object: C },
        { face: B, object: C },
      ],
    ],
    [
      'more than a process holds',
      [model('Face', A), model('Face', B), model('Face', C)],
      [{ face: A }, { face: B }],
    ],
    ['the same model under two names', [model('Face', A), model('Face', A)], [{ face: A }]],
  ])('of %s', (_, models, sets) => {
    expect(setsOf({ models: [...models] })).toEqual(sets);
  });
});
