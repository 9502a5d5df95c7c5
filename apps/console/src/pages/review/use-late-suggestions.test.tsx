/** @jest-environment jsdom */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { decisionsFixture } from '../../testing/decisions-fixture.tsx';
import { useLateSuggestions } from './use-late-suggestions.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const READ = 'countReviewQueue';

test('late suggestions are read even after the page was left', () => {
  const page = decisionsFixture();
  const { unmount } = renderHook(useLateSuggestions, { wrapper: page.wrapper });
  act(() => page.announce('Undone'));
  unmount();
  page.hasRead(READ);
  jest.advanceTimersByTime(1_500);
  expect(page.isOld(READ)).toBe(true);
  page.hasRead(READ);
  jest.advanceTimersByTime(3_500);
  expect(page.isOld(READ)).toBe(true);
});

test('another change begins the time again', () => {
  const page = decisionsFixture();
  renderHook(useLateSuggestions, { wrapper: page.wrapper });
  act(() => page.announce('Undone'));
  jest.advanceTimersByTime(1_000);
  act(() => page.announce('Undone again'));
  page.hasRead(READ);
  jest.advanceTimersByTime(1_000);
  expect(page.isOld(READ)).toBe(false);
  jest.advanceTimersByTime(500);
  expect(page.isOld(READ)).toBe(true);
});
