import type { ReactNode } from 'react';
import { GridCell } from './grid-cell.tsx';
import type { GridLayout, RowWindow } from './grid-geometry.ts';
import { type GridSelection, isSelected } from './grid-selection.ts';
import type { PagedRows } from './paged-rows.ts';
import styles from './windowed-grid.module.css';

export interface GridRowsProps<Row extends { readonly id: number }> {
  readonly id: string;
  readonly rows: PagedRows<Row>;
  readonly layout: GridLayout;
  readonly rowWindow: RowWindow;
  readonly active: number;
  readonly selection: GridSelection | undefined;
  readonly renderCell: (row: Row) => ReactNode;
  readonly hrefOf: ((row: Row) => string) | undefined;
}

/** The rows in the document. Each has a slot, which is moved to another place when its row leaves the view. */
export function GridRows<Row extends { readonly id: number }>(props: GridRowsProps<Row>) {
  const { layout, rowWindow } = props;
  const numbers = Array.from({ length: rowWindow.count }, (_, at) => rowWindow.first + at);
  const slots = numbers.toSorted((one, other) => (one % layout.slots) - (other % layout.slots));
  return slots.map((row) => <GridRow key={row % layout.slots} {...props} row={row} />);
}

function GridRow<Row extends { readonly id: number }>({
  row,
  ...props
}: GridRowsProps<Row> & { readonly row: number }) {
  const { id, rows, layout, rowWindow, active, selection, renderCell, hrefOf } = props;
  const { columns, cellWidth, rowHeight } = layout;
  const first = row * columns;
  const count = Math.min(columns, (rows.total ?? 0) - first);
  const cells = Array.from({ length: Math.max(0, count) }, (_, column) => first + column);
  return (
    <div
      role="row"
      className={styles.row}
      aria-rowindex={row + 1}
      style={{
        height: rowHeight,
        gridTemplateColumns: `repeat(${columns}, ${cellWidth}px)`,
        transform: `translateY(${(row - rowWindow.base) * rowHeight}px)`,
      }}
    >
      {cells.map((index, column) => {
        const cell = rows.rowAt(index);
        return (
          <GridCell
            key={column}
            id={`${id}-${index}`}
            index={index}
            column={column}
            row={cell}
            isActive={index === active}
            isSelected={selection && cell !== undefined && isSelected(selection, cell.id)}
            hrefOf={hrefOf}
            renderCell={renderCell}
          />
        );
      })}
    </div>
  );
}
