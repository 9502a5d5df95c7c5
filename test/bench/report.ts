import { LAG_TICK_MS } from '@sightline/platform/metrics/metrics-registry';
import { format } from 'prettier';
import { markdownTable as table } from './markdown-table.ts';
import { compositionSection } from './report-compositions.ts';
import { searchSection } from './report-search.ts';
import type { LagFigures } from './measure-lag.ts';
import type { LatencyFigures } from './measure-latency.ts';
import type { StageFigures } from './measure-stages.ts';
import type { ThroughputFigures } from './measure-throughput.ts';
import type { BenchFigures, ServedFigures } from './run-bench.ts';
import type { Spread } from './statistics.ts';
import type { WorkloadName } from './workloads.ts';

export interface ReportHead {
  readonly command: string;
  readonly machine: ReadonlyMap<string, string>;
}

/** The figures as a page of Markdown that reads well on a terminal too. */
export async function renderReport(figures: BenchFigures, head: ReportHead): Promise<string> {
  const { photos, stages, served, lag, search, qdrantSearch, workers, rounds, seconds } = figures;
  const { large, small } = photos;
  const models = served.map((service) => service.models);
  const page = `# Performance

Made by \`${head.command}\`.

${table(['', ''], [...head.machine])}

What the service costs beside the work itself, with each pair of models:

${table(['aim', 'wanted', ...models], aims(figures))}

## Stages

Milliseconds per image with one worker and everything asked for at once: faces with embeddings and
attributes, objects, the stored JPEG and the crops. Attributes are timed where the model has them.
The models take turns pass by pass.

${small.length} photos of people under one megapixel:

${stageTable(stages.small, models)}

One photo of ${large.megapixels.toFixed(1)} megapixels:

${stageTable(stages.large, models)}

## Throughput

The *bare loop* is ${workers} threads, each with sessions of its own, that decode and analyze the same
images from memory with the engine's pipelines: no HTTP, no queue, no messages. *Served* is the same
work posted as forms over kept-alive connections to the service with ${workers} workers. *Runtime* is
onnxruntime alone on tensors prepared beforehand. For \`/api/detect/faces\` the loop encodes the image and
the crops as well, and every image that is posted is one that was never seen before: it is stored, with
its faces, their vectors and the events. The sides take turns of about ${seconds} s, ${rounds} rounds of
them; a share is of one round, and shown as its median (least to greatest). The load generator runs on
the same machine: what it takes of a core is missing to the service. The models are served one after the
other: compare the shares of two tables, and their images per second only as far as the machine was as
fast for both.

${eachService(served, ({ throughput }) => throughputTable(throughput))}

## Latency

Milliseconds of one request at a time and of the bare loop with one thread, taking turns image by image:
medians, and how much longer the same image takes when it is served (median, and its middle half).

${eachService(served, ({ latency }) => latencyTable(latency))}

## Event-loop lag

Milliseconds, from the service's own \`nodejs_eventloop_lag_*\` metrics, with ${models[0]!}. These hold
the time between two ticks of a timer of ${LAG_TICK_MS} ms, so that an idle service shows ${LAG_TICK_MS} ms too: the lag is
what is above that.

${lagTable(lag)}

${compositionSection(figures)}
${searchSection(search, qdrantSearch)}`;
  return format(page, { parser: 'markdown', printWidth: 100 });
}

function eachService(
  served: readonly ServedFigures[],
  render: (service: ServedFigures) => string,
): string {
  return served.map((service) => `With ${service.models}:\n\n${render(service)}`).join('\n\n');
}

/** A cell is empty where what it takes was not measured with these models. */
function aims({ served, lag, hop, compositions }: BenchFigures): string[][] {
  const ratio = (value: number | null) => value?.toFixed(3) ?? '';
  const ofTheFirst = (text: string) => served.map((_, index) => (index === 0 ? text : ''));
  const p99 = lag.find(({ state }) => state === 'saturated')!.lagP99;
  return [
    [
      "served throughput without storing, of the bare loop's (least of the endpoints)",
      'at least 0.95',
      ...served.map((service) => ratio(leastShare(service))),
    ],
    [
      "stored detection, of the bare loop's throughput with all that is stored encoded",
      'at least 0.85',
      ...served.map((service) => ratio(shareOf(service, 'detect'))),
    ],
    [
      'identification, of the throughput of `/api/test`',
      'at least 0.95',
      ...served.map((service) => ratio(identifiedShare(service))),
    ],
    [
      'added to the median latency of one request at a time that stores nothing',
      'at most 5 ms',
      ...served.map((service) => `${addedLatency(service).toFixed(1)} ms`),
    ],
    ['event-loop lag while saturated, p99', 'at most 10 ms', ...ofTheFirst(`${p99.toFixed(1)} ms`)],
    [
      'several processes, of the throughput of one process on the same cores (least of the endpoints)',
      'at least 0.9',
      ...ofTheFirst(Math.min(...compositions.map(({ share }) => share.median)).toFixed(3)),
    ],
    [
      'added to the median latency by the way to an inference process',
      'at most 3 ms',
      ...ofTheFirst(`${Math.max(...hop.map(({ way }) => way.median)).toFixed(1)} ms`),
    ],
  ];
}

/** Null: not measured. */
function shareOf({ throughput }: ServedFigures, name: WorkloadName): number | null {
  return throughput.find(({ workload }) => workload === name)?.servedShare.median ?? null;
}

function leastShare(service: ServedFigures): number {
  const shares = (['faces', 'objects', 'verify'] as const).map((name) => shareOf(service, name));
  return Math.min(...shares.filter((share) => share !== null));
}

function identifiedShare(service: ServedFigures): number | null {
  const identified = shareOf(service, 'identify');
  const tested = shareOf(service, 'faces');
  return identified === null || tested === null ? null : identified / tested;
}

function addedLatency({ latency }: ServedFigures): number {
  const storing = ({ workload }: LatencyFigures) => workload === 'detect';
  return Math.max(
    ...latency.filter((figures) => !storing(figures)).map(({ added }) => added.median),
  );
}

function stageTable(stages: readonly StageFigures[], models: readonly string[]): string {
  return table(
    ['stage', ...models.flatMap((name) => [`${name}: median`, 'p95'])],
    stages.map(({ stage, times }) => [
      stage,
      ...times.flatMap((own) => [own?.median.toFixed(1) ?? '', own?.p95.toFixed(1) ?? '']),
    ]),
  );
}

function throughputTable(rows: readonly ThroughputFigures[]): string {
  return table(
    [
      'endpoint',
      'bare images/s',
      'served images/s',
      'served / bare',
      'runtime / bare time',
      'generator',
    ],
    rows.map((row) => [
      `\`${row.endpoint}\``,
      row.bare.toFixed(1),
      row.served.toFixed(1),
      spread(row.servedShare, 3),
      spread(row.runtimeShare, 3),
      `${(100 * row.generatorShare).toFixed(1)} % of a core`,
    ]),
  );
}

function latencyTable(rows: readonly LatencyFigures[]): string {
  return table(
    ['endpoint', 'bare', 'served', 'added'],
    rows.map(({ endpoint, bare, served, added }) => [
      `\`${endpoint}\``,
      bare.toFixed(1),
      served.toFixed(1),
      `${added.median.toFixed(1)} (${added.lower.toFixed(1)} to ${added.upper.toFixed(1)})`,
    ]),
  );
}

function lagTable(rows: readonly LagFigures[]): string {
  return table(
    ['service', 'tick, p50', 'tick, p99', 'lag, p99'],
    rows.map(({ state, tickP50, tickP99, lagP99 }) => [
      state,
      ...[tickP50, tickP99, lagP99].map((value) => value.toFixed(1)),
    ]),
  );
}

function spread({ median, least, greatest }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${least.toFixed(digits)} to ${greatest.toFixed(digits)})`;
}
