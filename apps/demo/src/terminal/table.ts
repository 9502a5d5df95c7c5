export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

const GAP = 2;
const WIDTH = 80;
const LEAST_CELL = 6;

const SEGMENTER = new Intl.Segmenter();

/**
 * Formats a line of titles and one line per row. Cells of the widest columns are shortened with an ellipsis, so that
 * lines have at most 80 characters.
 *
 * @param rows each row has one cell per column
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

function fit(natural: readonly number[]): number[] {
  const widths = [...natural];
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

/** The grapheme clusters of a text, which a reader perceives as its characters. */
function characters(text: string): string[] {
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
}

function lengthOf(cell: string): number {
  return characters(cell).length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
