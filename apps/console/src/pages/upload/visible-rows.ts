/** The part of a list of uniform rows that is drawn. */
export interface VisibleRows {
  readonly first: number;
  /** The index after the last row. */
  readonly end: number;
}

/** Rows beyond both edges, so that a slow scroll shows no gap. */
const MARGIN = 5;

/**
 * The rows that are in sight.
 *
 * @param position the distance that was scrolled, the height of the window and that of each row, in pixels
 */
export function visibleRows(
  count: number,
  position: { readonly top: number; readonly height: number; readonly rowHeight: number },
): VisibleRows {
  const { top, height, rowHeight } = position;
  const first = Math.max(0, Math.floor(top / rowHeight) - MARGIN);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + MARGIN);
  return { first: Math.min(first, count), end };
}
