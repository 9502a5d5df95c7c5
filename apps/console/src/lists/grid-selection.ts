/**
 * The selected rows of a list: single ones by their ids, or all that match the list's filter but some. All are never
 * listed, because a list may have millions of rows.
 */
export type GridSelection =
  | { readonly kind: 'some'; readonly ids: ReadonlySet<number> }
  | { readonly kind: 'all'; readonly except: ReadonlySet<number> };

export const NOTHING: GridSelection = { kind: 'some', ids: new Set() };
export const EVERYTHING: GridSelection = { kind: 'all', except: new Set() };

export function isSelected(selection: GridSelection, id: number): boolean {
  return selection.kind === 'some' ? selection.ids.has(id) : !selection.except.has(id);
}

/** @param total the number of rows that match the filter */
export function selectedCount(selection: GridSelection, total: number): number {
  return selection.kind === 'some'
    ? selection.ids.size
    : Math.max(0, total - selection.except.size);
}

/** Selects the rows, or takes them out. */
export function withRows(
  selection: GridSelection,
  ids: readonly number[],
  isOn: boolean,
): GridSelection {
  if (selection.kind === 'some') {
    return { kind: 'some', ids: changed(selection.ids, ids, isOn) };
  }
  return { kind: 'all', except: changed(selection.except, ids, !isOn) };
}

function changed(set: ReadonlySet<number>, ids: readonly number[], isIn: boolean) {
  const copy = new Set(set);
  for (const id of ids) {
    if (isIn) copy.add(id);
    else copy.delete(id);
  }
  return copy;
}
