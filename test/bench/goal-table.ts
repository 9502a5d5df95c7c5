import { isDeepStrictEqual } from 'node:util';
import type { Goal } from './bench.ts';
import { markdownTable } from './markdown-table.ts';

/**
 * Renders the table of the overview: the rows of a previous run with the same models, of which those with the same
 * measures are replaced. Figures on the wrong side of their goals are in bold.
 *
 * @param section the overview of the previous run; empty for none
 * @param models the names of the pairs of models, one column each
 */
export function goalTable(
  section: string,
  { models, goals }: { readonly models: readonly string[]; readonly goals: readonly Goal[] },
): string {
  const head = ['measure', 'goal', ...models];
  const [before, ...kept] = rowsOf(section);
  const isSame = isDeepStrictEqual(before, head);
  const rows = new Map((isSame ? kept : []).map((cells) => [cells[0]!, cells]));
  for (const [measure, goal, ...figures] of goals) {
    const cells = models.map((_, at) => marked(goal!, figures[at] ?? ''));
    rows.set(measure!, [measure!, goal!, ...cells]);
  }
  return markdownTable(head, [...rows.values()]);
}

/** The head and the rows of the table whose first column is `measure`. */
function rowsOf(section: string): string[][] {
  const lines = section.split('\n');
  const head = lines.findIndex((line) => /^\| measure\b/.test(line));
  if (head === -1) return [];
  const end = lines.findIndex((line, at) => at > head && !line.startsWith('|'));
  const table = lines.slice(head, end === -1 ? undefined : end).toSpliced(1, 1);
  return table.map((line) =>
    line
      .slice(1, line.lastIndexOf('|'))
      .split('|')
      .map((cell) => cell.trim()),
  );
}

function marked(goal: string, cell: string): string {
  const [, side, limit] = /^at (least|most) ([\d.]+)/.exec(goal) ?? [];
  const excess = Number.parseFloat(cell) - Number(limit);
  const isMissed = side === 'least' ? excess < 0 : excess > 0;
  return isMissed ? `**${cell}**` : cell;
}
