/** The title of a column and the alignment of its cells. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

const GAP = 2;
const WIDTH = 80;
const LEAST_CELL = 6;

const SEGMENTER = new Intl.Segmenter();

/**
 * Rows of cells as lines, the titles first. The widest columns are cut, with an ellipsis, to keep
 * lines within 80 characters.
 *
 * @param rows one cell for each column
 */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const all = [columns.map(({ title }) => title), ...rows];
  const widths = fit(columns.map((_, i) => Math.max(...all.map((row) => lengthOf(row[i]!)))));
  return all.map((row) =>
    row
      .map((cell, i) => padded(cut(cell, widths[i]!), widths[i]!, columns[i]!.align ?? 'left'))
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

function fit(wanted: readonly number[]): number[] {
  const widths = [...wanted];
  const available = WIDTH - GAP * (widths.length - 1);
  while (sum(widths) > available && Math.max(...widths) > LEAST_CELL) {
    widths[widths.indexOf(Math.max(...widths))]!--;
  }
  return widths;
}

function padded(cell: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(width - lengthOf(cell));
  return align === 'left' ? cell + space : space + cell;
}

function cut(cell: string, width: number): string {
  return lengthOf(cell) <= width
    ? cell
    : `${characters(cell)
        .slice(0, width - 1)
        .join('')}…`;
}

/** The grapheme clusters of a text: what a reader counts as its characters. */
function characters(text: string): string[] {
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
}

function lengthOf(cell: string): number {
  return characters(cell).length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
