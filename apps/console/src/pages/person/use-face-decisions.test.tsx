/** @jest-environment jsdom */
import { expect, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { decisionsFixture } from '../../testing/decisions-fixture.tsx';
import { useFaceDecisions } from './use-face-decisions.ts';

test('only the faces that were moved are counted', async () => {
  const page = decisionsFixture({
    results: [
      { detection_id: 1, ok: true },
      { detection_id: 2, ok: false, error: { code: 'not_found', detail: 'It does not exist.' } },
    ],
  });
  const { result } = renderHook(() => useFaceDecisions(7), { wrapper: page.wrapper });
  await act(() => result.current.move([1, 2], { id: 8, label: 'Bo' }));
  expect(page.announced()).toBe('1 moved to Bo. 1 face no longer exists.');
});

test('mismatches that no longer exist are not counted', async () => {
  const page = decisionsFixture({ dismissed: 1 });
  const { result } = renderHook(() => useFaceDecisions(7), { wrapper: page.wrapper });
  await act(() => result.current.dismissMismatches([1, 2]));
  expect(page.announced()).toBe('1 mismatch dismissed. 1 face no longer exists.');
});
