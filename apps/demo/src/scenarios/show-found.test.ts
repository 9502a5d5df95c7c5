import { expect, test } from '@jest/globals';
import { objectRows } from './show-found.ts';

test('classes have their count and best score, the highest score first', () => {
  const found = (class_name: string, confidence: number) => ({ class_name, confidence });
  expect(objectRows([found('cup', 0.5), found('clock', 0.77), found('cup', 0.61)])).toEqual([
    ['clock', '1', '0.77'],
    ['cup', '2', '0.61'],
  ]);
  expect(objectRows([])).toEqual([]);
});
