/** @jest-environment jsdom */
import { expect, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { useState } from 'react';
import { type GridSelection, NOTHING, selectedCount } from './grid-selection.ts';
import { PagedRows } from './paged-rows.ts';
import { useGridSelection } from './use-grid-selection.ts';

const COUNT = 10;

async function open() {
  const rows = new PagedRows<{ readonly id: number }>(() =>
    Promise.resolve({
      items: Array.from({ length: COUNT }, (_, id) => ({ id })),
      next_cursor: null,
      has_more: false,
    }),
  );
  rows.refresh([{ cursor: null, first: null, count: COUNT }]);
  await rows.readRange(0, COUNT - 1);
  const hook = renderHook(() => {
    const [selection, onChange] = useState<GridSelection>(NOTHING);
    const grid = useGridSelection(rows, { selection, onChange, onLongRange: () => undefined });
    return { ...grid, count: selectedCount(selection, COUNT), replace: onChange };
  });
  return hook.result;
}

test('a range goes on from the last toggled row', async () => {
  const result = await open();
  act(() => result.current.toggle(5));
  await act(() => result.current.extend(5, 3));
  expect(result.current.count).toBe(3);
  await act(() => result.current.extend(5, 7));
  expect(result.current.count).toBe(3);
});

test('a range after a selection that was cleared elsewhere has none of its rows', async () => {
  const result = await open();
  act(() => result.current.toggle(8));
  act(() => result.current.toggle(9));
  act(() => result.current.replace({ ...NOTHING }));
  await act(() => result.current.extend(1, 0));
  expect(result.current.count).toBe(2);
});
