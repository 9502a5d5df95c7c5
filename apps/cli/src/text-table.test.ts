import { expect, test } from '@jest/globals';
import { textTable } from './text-table.ts';

test('columns are as wide as their widest cell, and lines have no trailing spaces', () => {
  expect(
    textTable([
      ['id', 'label'],
      ['1', 'phone'],
      ['12', 'x'],
    ]),
  ).toEqual(['id  label', '1   phone', '12  x']);
});
