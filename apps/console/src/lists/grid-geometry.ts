/** The most cells that a grid has in the document. */
export const MAX_CELLS = 300;
/** The greatest height of a scrolled element in px, because browsers cut off taller ones. */
export const MAX_SCROLL_HEIGHT = 8_000_000;
/** The space between cells in px. */
const CELL_GAP = 8;
/** The space around all cells in px, for their outlines. */
export const GRID_PADDING = 3;
/** The rows above and below the view that are there before they are scrolled into it. */
const OVERSCAN = 1;
/** The number of rows positioned relative to one base row, because browsers place very distant rows inexactly. */
const ROWS_PER_BASE = 512;
/** The time in ms in which a screen must not be scrolled over for its pictures to be requested. */
const SLOW_SCREEN_MS = 600;

/** The measures of all cells of a grid, in px. */
export interface CellMeasure {
  readonly minWidth: number;
  /** The height of a cell's picture divided by its width. */
  readonly ratio: number;
  /** The height of the text below the picture; 0 without text. */
  readonly textHeight: number;
}

export interface GridView {
  readonly width: number;
  readonly height: number;
  /** The number of cells. */
  readonly total: number;
}

export interface GridLayout {
  readonly columns: number;
  readonly rows: number;
  readonly cellWidth: number;
  /** The height of a cell with the gap below it. */
  readonly rowHeight: number;
  readonly viewHeight: number;
  /** The height of all rows. */
  readonly contentHeight: number;
  /** The height of the scrolled element, which represents all rows in proportion. */
  readonly scrollHeight: number;
  /** The number of rows in the document. */
  readonly slots: number;
}

/** Places as many cells as fit beside each other. Fewer, larger cells are placed where there would be too many. */
export function layoutGrid(measure: CellMeasure, { width, height, total }: GridView): GridLayout {
  const fitting = Math.floor((width + CELL_GAP) / (measure.minWidth + CELL_GAP));
  let columns = Math.max(1, fitting);
  let row = measureRow(measure, { width, height }, columns);
  while (columns > 1 && columns * row.slots > MAX_CELLS) {
    columns -= 1;
    row = measureRow(measure, { width, height }, columns);
  }
  const rows = Math.ceil(total / columns);
  const contentHeight = rows * row.rowHeight;
  const scrollHeight = Math.min(contentHeight, MAX_SCROLL_HEIGHT);
  return { columns, rows, viewHeight: height, contentHeight, scrollHeight, ...row };
}

function measureRow(
  { ratio, textHeight }: CellMeasure,
  { width, height }: Pick<GridView, 'width' | 'height'>,
  columns: number,
) {
  const cellWidth = Math.max(1, Math.floor((width - CELL_GAP * (columns - 1)) / columns));
  const rowHeight = Math.max(1, Math.round(cellWidth * ratio) + textHeight + CELL_GAP);
  return { cellWidth, rowHeight, slots: Math.ceil(height / rowHeight) + 1 + 2 * OVERSCAN };
}

/** The place in the content that is at the upper edge of the view. */
export function contentTopOf(layout: GridLayout, scrollTop: number): number {
  const { contentHeight, scrollHeight, viewHeight } = layout;
  const scrollable = Math.max(0, scrollHeight - viewHeight);
  const top = Math.min(Math.max(scrollTop, 0), scrollable);
  if (contentHeight === scrollHeight || scrollable === 0) return top;
  return (top / scrollable) * (contentHeight - viewHeight);
}

/** The inverse of `contentTopOf`. */
export function scrollTopOf(layout: GridLayout, contentTop: number): number {
  const { contentHeight, scrollHeight, viewHeight } = layout;
  const scrollable = Math.max(0, scrollHeight - viewHeight);
  const top = Math.min(Math.max(contentTop, 0), Math.max(0, contentHeight - viewHeight));
  if (contentHeight === scrollHeight || scrollable === 0) return top;
  return (top / (contentHeight - viewHeight)) * scrollable;
}

export interface RowWindow {
  /** The first row in the document. */
  readonly first: number;
  /** The number of rows in the document. */
  readonly count: number;
  /** The row relative to which the rows are placed. */
  readonly base: number;
}

/** The rows that are in the document while the content is scrolled to a place. */
export function rowWindowAt(layout: GridLayout, contentTop: number): RowWindow {
  const { rows, rowHeight, slots } = layout;
  const atTop = Math.floor(contentTop / rowHeight) - OVERSCAN;
  const first = Math.max(0, Math.min(atTop, rows - slots));
  const count = Math.min(slots, rows - first);
  return { first, count, base: Math.floor(first / ROWS_PER_BASE) * ROWS_PER_BASE };
}

/** The indexes of the first and the last cell in the view; null without cells. */
export function cellsInView(
  layout: GridLayout,
  contentTop: number,
  total: number,
): { readonly first: number; readonly last: number } | null {
  if (total === 0) return null;
  const { columns, rowHeight, viewHeight } = layout;
  const first = Math.floor(contentTop / rowHeight) * columns;
  const last = Math.ceil((contentTop + viewHeight) / rowHeight) * columns - 1;
  return { first: Math.min(first, total - 1), last: Math.min(last, total - 1) };
}

/** The place to scroll to so that the whole row of a cell is in view; the same place if it is already. */
export function contentTopShowing(layout: GridLayout, contentTop: number, index: number): number {
  const { columns, rowHeight, viewHeight } = layout;
  const top = Math.floor(index / columns) * rowHeight;
  if (top < contentTop) return top;
  return Math.max(contentTop, top + rowHeight - viewHeight);
}

/** The cell at a place in the content, as an index with a fraction, which stays the same where the layout changes. */
export function cellAt({ columns, rowHeight }: GridLayout, contentTop: number): number {
  return (contentTop / rowHeight) * columns;
}

/** The inverse of `cellAt`. */
export function contentTopAt({ columns, rowHeight }: GridLayout, cell: number): number {
  return (cell / columns) * rowHeight;
}

/** Whether the view moves so fast that its rows would be passed before they are there. */
export function isFastScroll(layout: GridLayout, moved: number, elapsedMs: number): boolean {
  return Math.abs(moved) * SLOW_SCREEN_MS > layout.viewHeight * Math.max(elapsedMs, 1);
}

export type GridMove = 'left' | 'right' | 'up' | 'down' | 'pageUp' | 'pageDown' | GridEnd;
type GridEnd = 'rowStart' | 'rowEnd' | 'start' | 'end';

/** The cell to which a key leads from another one. */
export function movedIndex(
  { columns, rowHeight, viewHeight }: GridLayout,
  { from, total }: { readonly from: number; readonly total: number },
  move: GridMove,
): number {
  const rowStart = from - (from % columns);
  const page = Math.max(1, Math.floor(viewHeight / rowHeight)) * columns;
  const to = {
    left: from - 1,
    right: from + 1,
    up: from < columns ? from : from - columns,
    down: Math.min(from + columns, total - 1),
    pageUp: from - page < 0 ? from % columns : from - page,
    pageDown: from + page,
    rowStart,
    rowEnd: rowStart + columns - 1,
    start: 0,
    end: total - 1,
  }[move];
  return Math.max(0, Math.min(to, total - 1));
}
