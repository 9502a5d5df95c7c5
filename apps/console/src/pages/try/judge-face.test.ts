import { expect, test } from '@jest/globals';
import { judgeFace } from './judge-face.ts';

const ada = { identity_id: 1, label: 'Ada', similarity: 0.75 };
const bo = { identity_id: 2, label: 'Bo', similarity: 0.5 };

test.each([
  [0.6, ada],
  [0.75, ada],
  [0.76, null],
])('at a threshold of %d', (threshold, match) => {
  expect(judgeFace([ada, bo], threshold)).toEqual({ best: ada, match, margin: 0.25 });
});

test('one person has no margin, and no person no match', () => {
  expect(judgeFace([ada], 0.5)).toEqual({ best: ada, match: ada, margin: null });
  expect(judgeFace([], -1)).toEqual({ best: null, match: null, margin: null });
});
