import {
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { randomId } from '../client/random-id.ts';
import { Failure } from '../ui/failure.tsx';
import {
  type CellMeasure,
  GRID_PADDING,
  type GridLayout,
  layoutGrid,
  type RowWindow,
} from './grid-geometry.ts';
import { keepPlace, keptPlace } from './grid-places.ts';
import { GridRail } from './grid-rail.tsx';
import { GridRows } from './grid-rows.tsx';
import type { BucketStart, PagedRows } from './paged-rows.ts';
import { PictureQueueProvider } from './picture.tsx';
import { PictureQueue } from './picture-queue.ts';
import { railEntries } from './rail-entries.ts';
import { useElementSize } from './use-element-size.ts';
import { useGridCursor } from './use-grid-cursor.ts';
import { useGridScroll } from './use-grid-scroll.ts';
import type { SelectionState } from './use-grid-selection.ts';
import styles from './windowed-grid.module.css';

export interface WindowedGridProps<Row extends { readonly id: number }> {
  /** The name of the grid for screen readers, such as "Images". */
  readonly label: string;
  readonly rows: PagedRows<Row>;
  /** The measures of the cells. The object stays the same over renderings. */
  readonly measure: CellMeasure;
  /** Returns the content of a cell. The function stays the same over renderings, so that cells are not rendered in vain. */
  readonly renderCell: (row: Row) => ReactNode;
  /** The address to which a cell leads, for new tabs. The function stays the same, too. */
  readonly hrefOf?: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
  /** Without it, nothing can be selected. */
  readonly selecting?: SelectionState | undefined;
  /** The entry of the browser's history to which the place in the list belongs. */
  readonly historyEntry: string;
  /** The text of a bucket's first value in the rail, such as its year; without it, there is no rail. */
  readonly railText?: (first: BucketStart['first']) => string | null;
}

/**
 * A grid of equal cells over a list of any length. Few cells are in the document; they are moved and filled again while
 * the list is scrolled. The grid fills the height of its frame, and is one stop of the Tab key. For another list, it
 * needs another `key`.
 */
export function WindowedGrid<Row extends { readonly id: number }>(props: WindowedGridProps<Row>) {
  const { label, rows, selecting, railText, renderCell, hrefOf } = props;
  const id = useId();
  // The router restores pixels of the elements that it finds again, but the same rows may be elsewhere.
  const [restorationId] = useState(randomId);
  const total = useTotal(rows);
  const view = useView(props, total);
  const { container, mover, layout, rowWindow, active } = view;
  const isSelectable = selecting !== undefined;
  const handlers = useGridCursor({ ...props, selecting, ...view, total });
  const rail = railText === undefined ? [] : railEntries(rows.bucketStarts, railText);
  return (
    <div className={styles.frame}>
      {rows.error && <Failure error={rows.error} onRetry={() => rows.retry()} />}
      <div className={styles.parts}>
        <div
          ref={container}
          role="grid"
          className={styles.grid}
          data-scroll-restoration-id={restorationId}
          tabIndex={0}
          aria-label={label}
          aria-rowcount={layout.rows}
          aria-colcount={layout.columns}
          aria-multiselectable={isSelectable}
          aria-activedescendant={hasCell(layout, rowWindow, active) ? `${id}-${active}` : undefined}
          {...handlers}
        >
          <div className={styles.canvas} style={{ height: layout.scrollHeight }}>
            <div ref={mover} className={styles.mover}>
              <PictureQueueProvider value={view.queue}>
                <GridRows
                  {...{ id, rows, layout, rowWindow, active, renderCell, hrefOf }}
                  selection={selecting?.selection}
                />
              </PictureQueueProvider>
            </div>
          </div>
        </div>
        {rail.length > 0 && (
          <GridRail entries={rail} firstInView={view.firstInView} onJump={view.jump} />
        )}
      </div>
    </div>
  );
}

function useTotal<Row extends { readonly id: number }>(rows: PagedRows<Row>): number {
  useSyncExternalStore(rows.subscribe, () => rows.version);
  useEffect(() => () => rows.stop(), [rows]);
  return rows.total ?? 0;
}

/** The part of the list that is in view, and the cell that has the focus. */
function useView<Row extends { readonly id: number }>(
  { rows, measure, historyEntry }: WindowedGridProps<Row>,
  total: number,
) {
  const container = useRef<HTMLDivElement>(null);
  const mover = useRef<HTMLDivElement>(null);
  const [queue] = useState(() => new PictureQueue());
  const [kept] = useState(() => keptPlace(historyEntry));
  const initial = kept ?? { top: 0, active: 0 };
  const [wanted, setActive] = useState(initial.active);
  const [firstInView, setFirstInView] = useState(0);
  const active = Math.min(wanted, Math.max(0, total - 1));
  const { width, height } = useElementSize(container) ?? { width: 0, height: 0 };
  const layout = useMemo(
    () =>
      layoutGrid(measure, {
        width: Math.max(0, width - 2 * GRID_PADDING),
        height,
        total: width === 0 ? 0 : total,
      }),
    [measure, width, height, total],
  );
  const place = useRef(initial);
  // A person who comes back goes on at the cell that was left.
  useLayoutEffect(() => {
    if (kept !== undefined) container.current?.focus({ preventScroll: true });
  }, [kept]);
  const { rowWindow, scrollTo, reveal } = useGridScroll({
    container,
    mover,
    layout,
    total,
    initialCell: initial.top,
    // A person may leave the page while it still moves.
    onMove: (top) => {
      place.current = { ...place.current, top };
      keepPlace(historyEntry, place.current);
    },
    onView: ({ first, last }) => {
      queue.resume();
      rows.show(first, last);
      setFirstInView(first);
    },
    onFast: () => queue.pause(),
  });
  const activate = (index: number) => {
    setActive(index);
    place.current = { ...place.current, active: index };
    keepPlace(historyEntry, place.current);
    container.current?.focus({ preventScroll: true });
    reveal(index);
  };
  const jump = (index: number) => scrollTo(Math.floor(index / layout.columns) * layout.rowHeight);
  return { container, mover, queue, layout, rowWindow, active, firstInView, activate, jump };
}

function hasCell(
  { columns, rows }: GridLayout,
  { first, count }: RowWindow,
  index: number,
): boolean {
  const row = Math.floor(index / columns);
  return row >= first && row < first + count && row < rows;
}
