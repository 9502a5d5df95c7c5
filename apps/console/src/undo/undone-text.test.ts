import { expect, test } from '@jest/globals';
import { UndoJobError } from './undo-operation.ts';
import { undoneText } from './undone-text.ts';

const texts = {
  whole: 'whole',
  partly: (reason: string) => `partly: ${reason}`,
  failed: (reason: string) => `failed: ${reason}`,
  nothing: 'nothing',
  skipped: (count: number) => `skipped ${count}`,
  reasonOf: (error: Error) => error.message,
};
const error = new UndoJobError(5, 'cancelled');

test.each([
  [{ undone: 3, skipped: 0, error: null }, 'whole'],
  [{ undone: 3, skipped: 2, error: null }, 'whole skipped 2'],
  [{ undone: 0, skipped: 5, error: null }, 'nothing'],
  [{ undone: 1000, skipped: 0, error }, 'partly: cancelled'],
  [{ undone: 0, skipped: 0, error }, 'failed: cancelled'],
])('%j is said as %s', (result, text) => {
  expect(undoneText(result, texts)).toBe(text);
});
