/** @jest-environment jsdom */
import { expect, test } from '@jest/globals';
import { renderHook } from '@testing-library/react';
import { LocaleProvider } from '../messages/locale-context.tsx';
import {
  addResults,
  type FaceResult,
  faceResult,
  NO_FACES,
  skippingResult,
} from './face-result.ts';
import { useResultText } from './use-result-text.ts';

function text(result: FaceResult, language = 'en-US') {
  const { result: hook } = renderHook(useResultText, {
    wrapper: ({ children }) => <LocaleProvider value={language}>{children}</LocaleProvider>,
  });
  return hook.current(result, (count) => `${count} confirmed`);
}

const missing = { error: { code: 'not_found' } };
const changed = { error: { code: 'changed_since' } };

test('only the faces that were changed are counted, and the others are named', () => {
  expect(text(faceResult(3, []))).toBe('3 confirmed');
  expect(text(faceResult(2, [missing]))).toBe('2 confirmed. 1 face no longer exists.');
  expect(text(faceResult(1, [missing, changed, missing, changed]))).toBe(
    '1 confirmed. 2 faces no longer exist. 2 could not be changed.',
  );
});

test('nothing is said to be done if every face failed', () => {
  expect(text(faceResult(0, [missing]))).toBe('1 face no longer exists.');
  expect(text(faceResult(0, [changed]), 'de')).toBe('1 konnte nicht geändert werden.');
  expect(text(skippingResult(0, 2), 'de')).toBe('2 Gesichter existieren nicht mehr.');
});

test('results of several requests are one', () => {
  const all = [faceResult(2, [changed]), skippingResult(1, 3)];
  expect(all.reduce(addResults, NO_FACES)).toEqual({ done: 3, failed: 3, missing: 2 });
});
