import { memo, type ReactNode } from 'react';
import { useMessages } from '../messages/locale-context.tsx';
import { Icon } from '../ui/icon.tsx';
import { LISTS_MESSAGES } from './lists-messages.ts';
import styles from './windowed-grid.module.css';

export interface GridCellProps<Row> {
  readonly id: string;
  readonly index: number;
  readonly column: number;
  /** Undefined until the row has been read. */
  readonly row: Row | undefined;
  readonly isActive: boolean;
  /** Undefined in lists without a selection. */
  readonly isSelected: boolean | undefined;
  readonly hrefOf: ((row: Row) => string) | undefined;
  readonly renderCell: (row: Row) => ReactNode;
}

function PlainGridCell<Row>(props: GridCellProps<Row>) {
  const { id, index, column, row, isActive, isSelected, hrefOf, renderCell } = props;
  const texts = useMessages(LISTS_MESSAGES);
  return (
    <div
      id={id}
      role="gridcell"
      className={styles.cell}
      aria-colindex={column + 1}
      aria-selected={isSelected}
      aria-busy={row === undefined || undefined}
      data-index={index}
      data-active={isActive || undefined}
      data-selected={isSelected === true ? true : undefined}
    >
      {row === undefined ? (
        <span className={styles.skeleton}>
          <span className="visually-hidden">{texts.loadingCell}</span>
        </span>
      ) : (
        <CellContent row={row} hrefOf={hrefOf} renderCell={renderCell} />
      )}
      {isSelected !== undefined && row !== undefined && (
        <span className={styles.check} data-check aria-hidden>
          <Icon name="check" />
        </span>
      )}
    </div>
  );
}

type CellContentProps<Row> = Pick<GridCellProps<Row>, 'hrefOf' | 'renderCell'> & {
  readonly row: Row;
};

function CellContent<Row>({ row, hrefOf, renderCell }: CellContentProps<Row>) {
  if (hrefOf === undefined) return renderCell(row);
  return (
    // The grid is one stop of the Tab key, and Enter opens its cell.
    <a className={styles.link} href={hrefOf(row)} tabIndex={-1} draggable={false}>
      {renderCell(row)}
    </a>
  );
}

export const GridCell = memo(PlainGridCell) as typeof PlainGridCell;
