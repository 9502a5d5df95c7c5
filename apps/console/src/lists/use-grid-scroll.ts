import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  cellsInView,
  cellAt,
  contentTopAt,
  contentTopOf,
  contentTopShowing,
  type GridLayout,
  isFastScroll,
  type RowWindow,
  rowWindowAt,
  scrollTopOf,
} from './grid-geometry.ts';

/** The time after a fast scroll after which its end is assumed, in ms. */
const SETTLE_MS = 80;

interface GridViewState {
  /** The indexes of the first and the last cell in view. */
  readonly first: number;
  readonly last: number;
}

interface GridScrollOptions {
  readonly container: RefObject<HTMLDivElement | null>;
  /** The element that holds the rows, which moves in tall lists. */
  readonly mover: RefObject<HTMLDivElement | null>;
  readonly layout: GridLayout;
  readonly total: number;
  /** The cell at the upper edge of the view at first, as an index with a fraction. */
  readonly initialCell: number;
  /** Called with the cell at the upper edge whenever the view has moved. */
  readonly onMove: (cell: number) => void;
  /** Called while the view is still or moves slowly. */
  readonly onView: (view: GridViewState) => void;
  /** Called when the view moves too fast for its rows. */
  readonly onFast: () => void;
}

/** Knows which rows belong into the document, and tells which cells are in view once scrolling is slow enough. */
export function useGridScroll(options: GridScrollOptions) {
  const { container, mover, layout, initialCell } = options;
  const latest = useRef(options);
  const initialTop = contentTopAt(layout, initialCell);
  const [renderedTop, setRenderedTop] = useState<number | null>(null);
  const rowWindow = rowWindowAt(layout, renderedTop ?? initialTop);
  const rendered = useRef(initialTop);
  const moved = useRef({ contentTop: initialTop, at: 0 });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const settle = useCallback(() => {
    const { layout: current, total, onView } = latest.current;
    const { contentTop } = moved.current;
    const view = cellsInView(current, contentTop, total);
    if (view !== null) onView(view);
  }, []);

  const update = useCallback(() => {
    const { container: box, mover: rows, layout: current, onFast, onMove } = latest.current;
    if (box.current === null || rows.current === null) return;
    const { scrollTop } = box.current;
    const contentTop = contentTopOf(current, scrollTop);
    const next = rowWindowAt(current, contentTop);
    if (!isSame(next, rowWindowAt(current, rendered.current))) {
      rendered.current = contentTop;
      flushSync(() => setRenderedTop(contentTop));
    }
    const offset = next.base * current.rowHeight - contentTop + scrollTop;
    shift(rows.current, offset);
    const now = performance.now();
    const isFast = isFastScroll(
      current,
      contentTop - moved.current.contentTop,
      now - moved.current.at,
    );
    moved.current = { contentTop, at: now };
    onMove(cellAt(current, contentTop));
    clearTimeout(timer.current);
    if (isFast) onFast();
    timer.current = setTimeout(settle, isFast ? SETTLE_MS : 0);
  }, [settle]);

  useLayoutEffect(() => {
    latest.current = options;
  });

  // After a change of the layout, the same cells stay in view.
  const anchor = useRef<GridLayout>(null);
  useLayoutEffect(() => {
    const box = container.current;
    if (box === null || layout.rows === 0 || layout.viewHeight === 0) return;
    const former = anchor.current;
    const cell = former === null ? initialCell : cellAt(former, moved.current.contentTop);
    if (former?.columns !== layout.columns || former.rowHeight !== layout.rowHeight) {
      const contentTop = contentTopAt(layout, cell);
      moved.current = { ...moved.current, contentTop };
      if (former === null) rendered.current = contentTop;
      scroll(box, scrollTopOf(layout, contentTop));
    }
    anchor.current = layout;
    const frame = requestAnimationFrame(update);
    return () => cancelAnimationFrame(frame);
  }, [container, layout, initialCell, update]);

  useEffect(() => {
    const box = container.current;
    box?.addEventListener('scroll', update, { passive: true });
    return () => {
      box?.removeEventListener('scroll', update);
      clearTimeout(timer.current);
    };
  }, [container, mover, update]);

  const scrollTo = useCallback((contentTop: number) => {
    const { container: box, layout: current } = latest.current;
    if (box.current !== null) scroll(box.current, scrollTopOf(current, contentTop));
  }, []);

  return {
    rowWindow,
    scrollTo,
    /** Scrolls no farther than needed to have a cell in view. */
    reveal: useCallback(
      (index: number) => {
        const { contentTop } = moved.current;
        const wanted = contentTopShowing(latest.current.layout, contentTop, index);
        if (wanted !== contentTop) scrollTo(wanted);
      },
      [scrollTo],
    ),
  };
}

function isSame(one: RowWindow, other: RowWindow): boolean {
  return one.first === other.first && one.count === other.count && one.base === other.base;
}

function scroll(box: HTMLElement, scrollTop: number): void {
  box.scrollTop = scrollTop;
}

function shift(rows: HTMLElement, offset: number): void {
  rows.style.transform = `translateY(${offset}px)`;
}
