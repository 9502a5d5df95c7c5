import { markdownTable as table } from './markdown-table.ts';
import type { BenchFigures } from './run-bench.ts';

/** One process beside several, and what the way to an inference process costs. */
export function compositionSection({
  compositions,
  hop,
  workers,
  served,
}: Pick<BenchFigures, 'compositions' | 'hop' | 'workers' | 'served'>): string {
  return `## One process and several

With ${served[0]!.models}, on the same cores: one process with ${workers} workers, and two processes that answer
with two inference processes of ${Math.max(1, workers / 2)} worker each. The one process keeps everything in its data
folder; the others share a Postgres on the network and an S3 (MinIO), which run on these cores too, and
each one that answers keeps an index of its own. They take turns, and the answering processes are asked
in turn; what is counted ends with the last request that is sent, behind which not all are at work any
more. A share is of one round, and shown as its median (least to greatest).

${table(
  ['endpoint', 'one process, images/s', 'several, images/s', 'several / one'],
  compositions.map(({ endpoint, oneProcess, platform, share }) => [
    `\`${endpoint}\``,
    oneProcess.toFixed(1),
    platform.toFixed(1),
    `${share.median.toFixed(3)} (${share.least.toFixed(3)} to ${share.greatest.toFixed(3)})`,
  ]),
)}

The way to an inference process and back, in milliseconds: real photos are sent to one that has their
analyses at hand, with the renditions that a stored photo takes; median, and its middle half. Beside it
what the analysis itself takes, one at a time.

${table(
  ['photo', 'there, KiB', 'back, KiB', 'analysis', 'added by the way'],
  hop.map(({ photo, bytes, analysis, way }) => [
    photo,
    kibibytes(bytes.there),
    kibibytes(bytes.back),
    analysis.toFixed(0),
    `${way.median.toFixed(1)} (${way.lower.toFixed(1)} to ${way.upper.toFixed(1)})`,
  ]),
)}
`;
}

function kibibytes(bytes: number): string {
  return Math.round(bytes / 1024).toLocaleString('en');
}
