import { markdownTable as table } from '../support/markdown-table.ts';
import type { SearchFigures } from './measure-search.ts';

type ServerFigures = Omit<SearchFigures, 'memory'>;

/** Searches of the embedded index, and of a Qdrant where one was given. */
export function searchSection(
  search: readonly SearchFigures[],
  qdrantSearch: readonly ServerFigures[],
): string {
  return `## Search

Milliseconds per search of the embedded index for the ten best identities of one face, and of five faces
together, with the way to its thread and back. The gallery is random vectors of 512 values, three
references for each identity; memory is what the process has grown by.

${searchTable(search)}
${qdrantPart(qdrantSearch)}`;
}

function qdrantPart(rows: readonly ServerFigures[]): string {
  if (rows.length === 0) return '';
  return `
The same searches in a Qdrant, with the way there and back:

${searchTable(rows.map((row) => ({ ...row, memory: null })))}
`;
}

function searchTable(
  rows: readonly (ServerFigures & { readonly memory: number | null })[],
): string {
  const times = rows[0]!.searches.flatMap(({ faces }) => [
    `p50, faces: ${faces}`,
    `p99, faces: ${faces}`,
  ]);
  return table(
    ['references', ...times, 'loading', 'memory'],
    rows.map(({ references, searches, loading, memory }) => [
      references.toLocaleString('en'),
      ...searches.flatMap(({ p50, p99 }) => [p50.toFixed(2), p99.toFixed(2)]),
      `${loading.toFixed(2)} s`,
      memory === null ? 'of the server' : `${memory.toFixed(0)} MiB`,
    ]),
  );
}
