import { grouped, quartilesCell, spreadCell } from './cells.ts';
import { markdownTable as table } from './markdown-table.ts';
import type { BenchFigures } from './run-bench.ts';

/** The throughput of one process and of several, and the cost of the round trip to an inference process. */
export function compositionSection({
  compositions,
  hop,
  workers,
  served,
}: Pick<BenchFigures, 'compositions' | 'hop' | 'workers' | 'served'>): string {
  return `## One process and several

With ${served[0]!.models}, on the same cores:

- one standalone process with ${workers} worker threads, and all data in its folder;
- two standalone processes that share two inference processes of ${Math.max(1, workers / 2)} worker thread each, a Postgres on a
  port, and an S3 (MinIO). The stores run on these cores too, and each process has an index of its own.

The two sides take turns; requests alternate between the two standalone processes. A measurement ends when the last
request is sent, because not all processes are busy after that. A ratio is computed per round and shown as its median
(least to greatest).

${table(
  ['endpoint', 'one process, images/s', 'several, images/s', 'several / one'],
  compositions.map(({ endpoint, oneProcess, platform, share }) => [
    `\`${endpoint}\``,
    oneProcess.toFixed(1),
    platform.toFixed(1),
    spreadCell(share, 3),
  ]),
)}

The round trip to an inference process, in milliseconds: photos are sent to a process that answers with an analysis
made beforehand, renditions included; the median, and the quartiles. The analysis itself, one at a time, is beside
it.

${table(
  ['photo', 'request, KiB', 'response, KiB', 'analysis', 'round trip'],
  hop.map(({ photo, bytes, analysis, roundTrip }) => [
    photo,
    kibibytes(bytes.request),
    kibibytes(bytes.response),
    analysis.toFixed(0),
    quartilesCell(roundTrip),
  ]),
)}
`;
}

function kibibytes(bytes: number): string {
  return grouped(Math.round(bytes / 1024));
}
