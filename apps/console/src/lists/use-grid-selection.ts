import { useRef } from 'react';
import { EVERYTHING, type GridSelection, isSelected, NOTHING, withRows } from './grid-selection.ts';
import type { PagedRows } from './paged-rows.ts';

/** The most rows of a range, because decisions by ids take no more. */
const MAX_RANGE = 1_000;

export interface SelectionState {
  readonly selection: GridSelection;
  readonly onChange: (selection: GridSelection) => void;
  /** Called with the greatest length if a range is longer. */
  readonly onLongRange: (most: number) => void;
  /** Whether decisions take only ids, so that all rows are selected as a range. */
  readonly isByIds?: boolean;
}

/** The ways in which keys and the pointer change a selection. */
export function useGridSelection<Row extends { readonly id: number }>(
  rows: PagedRows<Row>,
  state: SelectionState | undefined,
) {
  /** The beginning of a range, and the selection before it. */
  const anchor = useRef<{ readonly index: number; readonly before: GridSelection } | null>(null);
  /** The selection that keys and the pointer made last. Another one, such as after a deletion, has no range that goes on. */
  const last = useRef<GridSelection | null>(null);
  /** A range that is read while another decision is made is dropped. */
  const turns = useRef(0);

  const change = (selection: GridSelection) => {
    last.current = selection;
    state?.onChange(selection);
  };

  const toggle = (index: number) => {
    const row = rows.rowAt(index);
    if (state === undefined || row === undefined) return;
    const next = withRows(state.selection, [row.id], !isSelected(state.selection, row.id));
    turns.current += 1;
    anchor.current = { index, before: next };
    change(next);
  };

  const addRange = async (before: GridSelection, first: number, last: number) => {
    if (last - first >= MAX_RANGE) {
      state?.onLongRange(MAX_RANGE);
      return;
    }
    turns.current += 1;
    const turn = turns.current;
    const selected = await rows.readRange(first, last);
    if (turn !== turns.current) return;
    const ids = selected.map(({ id }) => id);
    change(withRows(before, ids, true));
  };

  /** Selects the rows from the anchor to one. Without an anchor, the range begins at the focus. */
  const extend = async (focus: number, to: number) => {
    if (state === undefined) return;
    if (state.selection !== last.current) anchor.current = null;
    const { index: from, before } = anchor.current ?? { index: focus, before: state.selection };
    last.current = state.selection;
    anchor.current = { index: from, before };
    await addRange(before, Math.min(from, to), Math.max(from, to));
  };

  const decide = (selection: GridSelection) => {
    turns.current += 1;
    anchor.current = null;
    change(selection);
  };

  return {
    toggle,
    extend,
    forgetAnchor: () => {
      anchor.current = null;
    },
    selectAll: () => {
      const isByIds = state?.isByIds === true;
      if (isByIds) void addRange(state.selection, 0, (rows.total ?? 0) - 1);
      else decide(EVERYTHING);
    },
    clear: () => decide(NOTHING),
  };
}
