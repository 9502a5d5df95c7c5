import type { KeyboardEvent, MouseEvent } from 'react';
import { type GridLayout, movedIndex } from './grid-geometry.ts';
import { selectedCount } from './grid-selection.ts';
import type { PagedRows } from './paged-rows.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { type SelectionState, useGridSelection } from './use-grid-selection.ts';

interface GridCursorOptions<Row extends { readonly id: number }> {
  readonly rows: PagedRows<Row>;
  readonly layout: GridLayout;
  readonly total: number;
  /** The index of the cell that has the focus while the grid has it. */
  readonly active: number;
  readonly selecting: SelectionState | undefined;
  /** Moves the focus to a cell. */
  readonly activate: (index: number) => void;
  readonly onOpen: (row: Row) => void;
}

/** Carries out what keys and clicks mean in a grid. */
export function useGridCursor<Row extends { readonly id: number }>(
  options: GridCursorOptions<Row>,
): {
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onClick: (event: MouseEvent) => void;
} {
  const { rows, layout, total, active, selecting, activate, onOpen } = options;
  const selection = useGridSelection(rows, selecting);
  const open = (index: number) => {
    const row = rows.rowAt(index);
    if (row !== undefined) onOpen(row);
  };
  const onKeyDown = useGridKeys({
    isSelectable: selecting !== undefined,
    move: (move, isRange) => {
      const to = movedIndex(layout, { from: active, total }, move);
      if (isRange) void selection.extend(active, to);
      else selection.forgetAnchor();
      activate(to);
    },
    open: () => open(active),
    toggle: () => selection.toggle(active),
    selectAll: selection.selectAll,
    clear: () => {
      const hasAny = selecting !== undefined && selectedCount(selecting.selection, total) > 0;
      if (hasAny) selection.clear();
      return hasAny;
    },
  });
  const onClick = (event: MouseEvent) => {
    const index = clickedIndex(event);
    const action = clickAction(event, selecting !== undefined);
    if (index === null || action === 'browser') return;
    event.preventDefault();
    activate(index);
    if (action === 'range') void selection.extend(active, index);
    else if (action === 'toggle') selection.toggle(index);
    else open(index);
  };
  return { onKeyDown, onClick };
}

function clickedIndex({ target }: MouseEvent): number | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return cell === null ? null : Number(cell.dataset.index);
}

/** `browser`: what a click with a modifier does with a link, such as opening another tab. */
function clickAction(
  { target, shiftKey, ctrlKey, metaKey }: MouseEvent,
  isSelectable: boolean,
): 'toggle' | 'range' | 'browser' | 'open' {
  if (isSelectable && target instanceof Element && target.closest('[data-check]') !== null) {
    return shiftKey ? 'range' : 'toggle';
  }
  if (isSelectable && shiftKey) return 'range';
  return shiftKey || ctrlKey || metaKey ? 'browser' : 'open';
}
