import { grouped } from './cells.ts';
import { markdownTable as table } from './markdown-table.ts';
import type { QdrantSearchFigures } from './measure-qdrant-search.ts';
import type { SearchFigures } from './measure-search.ts';

/** The searches in the embedded index, and in a Qdrant if one was measured. */
export function searchSection(
  search: readonly SearchFigures[],
  qdrantSearch: readonly QdrantSearchFigures[],
): string {
  return `## Search

Milliseconds per search of the embedded index for the ten best identities of one face, and of five faces
together, including the round trip to its thread. The gallery consists of random vectors of 512 values, three
references for each identity. Memory is the growth of the process.

${searchTable(search, {
  memory: ({ memory }) => `${memory.toFixed(0)} MiB`,
})}
${qdrantPart(qdrantSearch)}`;
}

function qdrantPart(rows: readonly QdrantSearchFigures[]): string {
  if (rows.length === 0) return '';
  return `
The same searches in a Qdrant, including the round trip, after it has built its graphs:

${searchTable(rows, { 'building the graphs': ({ indexing }) => `${indexing.toFixed(1)} s` })}
`;
}

/** @param more columns that only one kind of index has, by their headings */
function searchTable<Row extends Omit<SearchFigures, 'memory'>>(
  rows: readonly Row[],
  more: Readonly<Record<string, (row: Row) => string>>,
): string {
  const times = rows[0]!.searches.flatMap(({ faces }) => [
    `p50, faces: ${faces}`,
    `p99, faces: ${faces}`,
  ]);
  return table(
    ['references', ...times, 'loading', ...Object.keys(more)],
    rows.map((row) => [
      grouped(row.references),
      ...row.searches.flatMap(({ p50, p99 }) => [p50.toFixed(2), p99.toFixed(2)]),
      `${row.loading.toFixed(2)} s`,
      ...Object.values(more).map((cell) => cell(row)),
    ]),
  );
}
