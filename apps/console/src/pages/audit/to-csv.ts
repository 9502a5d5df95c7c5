/** Beginnings by which spreadsheets recognize formulas, which data of other people must not become. */
const FORMULA = /^[=+\-@\t\r]/;

type Cell = string | number | null;

/** Rows as a file that spreadsheets read (RFC 4180). */
export function toCsv(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('');
}

function toCell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
