import { formatScore } from '../pictures/finding.ts';
import { type Column, table } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface FoundObject {
  readonly class_name: string | null;
  readonly confidence: number;
}

const OBJECTS: readonly Column[] = [
  { title: 'object' },
  { title: 'found', align: 'right' },
  { title: 'best score', align: 'right' },
];

export function showTable(
  terminal: Terminal,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): void {
  const [titles, ...lines] = table(columns, rows);
  terminal.line(terminal.styled('dim', titles!));
  for (const text of lines) terminal.line(text);
}

export function showObjects(terminal: Terminal, objects: readonly FoundObject[]): void {
  if (objects.length === 0) terminal.line('No objects were found.');
  else showTable(terminal, OBJECTS, objectRows(objects));
}

/** One row per class with the number of objects and the best score. The class with the highest score comes first. */
export function objectRows(objects: readonly FoundObject[]): string[][] {
  const classes = Map.groupBy(objects, ({ class_name }) => class_name ?? 'object');
  return [...classes]
    .map(([name, found]) => {
      const scores = found.map(({ confidence }) => confidence);
      return { name, count: found.length, best: Math.max(...scores) };
    })
    .sort((a, b) => b.best - a.best)
    .map(({ name, count, best }) => [name, String(count), formatScore(best)]);
}

/** The left, top, width and height of a box in whole pixels, such as `261,332 130x183`. */
export function formatBox({ x, y, w, h }: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>): string {
  return `${Math.round(x)},${Math.round(y)} ${Math.round(w)}x${Math.round(h)}`;
}

/** A value as text, or a dash if the model does not provide the value. */
export function orDash(value: string | number | null): string {
  return value === null ? '-' : String(value);
}
