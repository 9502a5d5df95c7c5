import { describe, expect, test } from '@jest/globals';
import { findings, numbered, formatScore } from './finding.ts';

const bbox = { x: 1, y: 2, w: 3, h: 4 };

describe('findings', () => {
  test('faces with a name, faces without, and objects, which come first', () => {
    const run = {
      faces: [
        { bbox, label: 'Ada', similarity: 0.981 },
        { bbox, label: null, similarity: 0.36 },
        { bbox, label: 'Mei', similarity: null },
      ],
      objects: [{ bbox, class_name: 'cup', confidence: 0.5 }],
    };
    expect(findings(run).map(({ kind, text }) => [kind, text])).toEqual([
      ['object', 'cup 0.50'],
      ['known', 'Ada 0.98'],
      ['unknown', 'unknown'],
      ['known', 'Mei'],
    ]);
  });
});

test('numbered: faces have numbers instead of names', () => {
  const faces = [0.9, 0.8].map((similarity) => ({ bbox, label: null, similarity }));
  const objects = [{ bbox, class_name: 'cup', confidence: 0.5 }];
  expect(numbered({ faces, objects }).map(({ text }) => text)).toEqual([
    'cup 0.50',
    'face 1',
    'face 2',
  ]);
});

test.each([
  [0.999, '0.99'],
  [1, '1.00'],
  [0.29, '0.29'],
  [0, '0.00'],
])('formatScore of %d is %s', (value, text) => {
  expect(formatScore(value)).toBe(text);
});
