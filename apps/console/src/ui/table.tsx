import type { FocusEvent, ReactNode } from 'react';
import styles from './table.module.css';

export interface TableProps {
  /** The name of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly string[];
  /** The rows, as `tr` with a `th` of scope `row` first. */
  readonly children: ReactNode;
}

/** A table that scrolls to the side where the window is narrow. */
export function Table({ label, columns, children }: TableProps) {
  return (
    // The part scrolls, so the keyboard has to reach it.
    <div className={styles.frame} role="group" aria-label={label} tabIndex={0} onFocus={showWhole}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** Browsers do not scroll to a button of which a few pixels are in view. */
function showWhole({ target, currentTarget }: FocusEvent): void {
  if (target !== currentTarget) target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
