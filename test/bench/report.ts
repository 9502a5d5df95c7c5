import { LAG_TICK_MS } from '@sightline/platform/metrics/metrics-registry';
import { quartilesCell, spreadCell } from './cells.ts';
import { markdownTable as table } from './markdown-table.ts';
import { type FairnessFigures, FLOODING_LOOPS } from './measure-fairness.ts';
import type { LagFigures } from './measure-lag.ts';
import type { LatencyFigures } from './measure-latency.ts';
import type { StageFigures } from './measure-stages.ts';
import type { ThroughputFigures } from './measure-throughput.ts';
import { compositionSection } from './report-compositions.ts';
import { archivesSection } from './report-archives.ts';
import { eventsSection } from './report-events.ts';
import { swapsSection } from './report-swaps.ts';
import { jobsSection } from './report-jobs.ts';
import type { ReportHead } from './machine.ts';
import { kernelSection } from './report-kernels.ts';
import { librarySection } from './report-library.ts';
import { searchSection } from './report-search.ts';
import type { BenchFigures, ServedFigures } from './run-bench.ts';
import { formatMarkdown, markedSection } from './show-section.ts';
import type { WorkloadName } from './workloads.ts';

/** The figures as a page of Markdown that is readable on a terminal too. */
export async function renderReport(figures: BenchFigures, head: ReportHead): Promise<string> {
  const {
    photos,
    stages,
    kernels,
    served,
    lag,
    fairness,
    jobs,
    archives,
    swaps,
    events,
    library,
    search,
    qdrantSearch,
    workers,
    rounds,
    seconds,
  } = figures;
  const { large, small } = photos;
  const models = served.map((service) => service.models);
  const page = `# Performance

Made by \`${head.command}\`.

${table(['', ''], [...head.machine])}

The overhead of the service, with each pair of models:

${table(['measure', 'goal', ...models], goals(figures))}

## Stages

Milliseconds per image with one worker thread that does everything: faces with embeddings and attributes,
objects, the stored JPEG and the crops. Attributes are timed if the model has them. The models take turns,
pass by pass.

${small.length} photos of people under one megapixel:

${stageTable(stages.small, models)}

One photo of ${large.megapixels.toFixed(1)} megapixels:

${stageTable(stages.large, models)}

${kernelSection(kernels)}

## Throughput

- *Bare loop*: ${workers} threads with sessions of their own decode and analyze the images from memory, with the
  engine's pipelines but without HTTP, queue and messages.
- *Served*: the same images are posted as forms, over keep-alive connections, to the service with ${workers} worker
  threads.
- *Runtime*: onnxruntime alone, on tensors prepared beforehand.
- *Python*: ${workers} processes of a plain Python loop with the same networks on the same images, with OpenCV,
  NumPy and onnxruntime of one thread each. ${pythonNote(figures)}

For \`/api/detect/faces\` the bare loop also encodes the image and the crops, and each posted image is new to the
service, which stores it with its faces, vectors and events.

The sides take turns of about ${seconds} s, in ${rounds} rounds. A ratio is computed per round and shown as its median
(least to greatest). The load generator runs on the same machine and takes CPU from the service. The models are
measured one after the other: compare the ratios of two tables; compare their images per second only if the machine
was equally fast for both.

${eachService(served, ({ throughput }) => throughputTable(throughput))}

## Latency

Milliseconds of one request at a time, and of the bare loop with one thread. They take turns image by image. The last
column is how much longer the same image takes when it is served: the median, and the quartiles.

${eachService(served, ({ latency }) => latencyTable(latency))}

## Event-loop lag

Milliseconds, from the service's own \`nodejs_eventloop_lag_*\` metrics, with ${models[0]!}. They measure
the time between two ticks of a timer of ${LAG_TICK_MS} ms, so an idle service shows ${LAG_TICK_MS} ms too. The lag is the
rest.

${lagTable(lag)}

## Beside a flood

Milliseconds of one request at a time of one environment, alone and while ${FLOODING_LOOPS} loops of another environment's key
post photos to the same endpoint and pay no heed to refusals, with ${models[0]!}. The load generator and the
flood run on the same cores. The ratio is computed per round and shown as its median (least to greatest).

${fairnessTable(fairness)}

${markedSection('jobs', jobsSection(jobs))}

${compositionSection(figures)}

${markedSection('archives', archivesSection(archives))}

${markedSection('swaps', swapsSection(swaps))}

${markedSection('events', eventsSection(events))}

${markedSection('operator')}

${markedSection('switches')}

${markedSection('api-pods')}

${markedSection('library', librarySection(library))}

${searchSection(search, qdrantSearch)}`;
  return formatMarkdown(page);
}

function eachService(
  served: readonly ServedFigures[],
  render: (service: ServedFigures) => string,
): string {
  return served.map((service) => `With ${service.models}:\n\n${render(service)}`).join('\n\n');
}

/** The goals with the measured values. A cell is empty if the value was not measured with these models. */
function goals({ served, lag, fairness, jobs, hop, compositions }: BenchFigures): string[][] {
  const ratio = (value: number | null) => value?.toFixed(3) ?? '';
  const ofTheFirst = (text: string) => served.map((_, index) => (index === 0 ? text : ''));
  const p99 = lag.find(({ state }) => state === 'saturated')!.lagP99;
  return [
    [
      'served throughput without storing / bare loop (lowest endpoint)',
      'at least 0.95',
      ...served.map((service) => ratio(leastShare(service))),
    ],
    [
      'served throughput without storing / bare Python loop (lowest endpoint)',
      'at least 0.95',
      ...served.map((service) => ratio(leastPythonShare(service)) || 'not measured'),
    ],
    [
      'throughput of stored detection / bare loop that also encodes',
      'at least 0.85',
      ...served.map((service) => ratio(shareOf(service, 'detect'))),
    ],
    [
      'throughput of `/api/identify` / `/api/test`',
      'at least 0.95',
      ...served.map((service) => ratio(identifiedShare(service))),
    ],
    [
      'latency added to one request at a time that stores nothing, median',
      'at most 5 ms',
      ...served.map((service) => `${addedLatency(service).toFixed(1)} ms`),
    ],
    [
      'latency of one request at a time beside the flood of another environment / alone',
      'at most 3',
      ...ofTheFirst(fairness.ratio.median.toFixed(2)),
    ],
    [
      `throughput of a job of ${jobs.images} images / bare loop that also encodes`,
      'at least 0.95',
      ...ofTheFirst(jobs.share.median.toFixed(3)),
    ],
    [
      'p99 of one request at a time beside a job of the same environment / alone',
      'at most 2',
      ...ofTheFirst(jobs.latencyRatio.median.toFixed(2)),
    ],
    ['event-loop lag under full load, p99', 'at most 10 ms', ...ofTheFirst(`${p99.toFixed(1)} ms`)],
    [
      'throughput of several processes / one process on the same cores (lowest endpoint)',
      'at least 0.9',
      ...ofTheFirst(Math.min(...compositions.map(({ share }) => share.median)).toFixed(3)),
    ],
    [
      'latency added by the round trip to an inference process, median',
      'at most 3 ms',
      ...ofTheFirst(`${Math.max(...hop.map(({ roundTrip }) => roundTrip.median)).toFixed(1)} ms`),
    ],
  ];
}

/** Null if it was not measured. */
function shareOf({ throughput }: ServedFigures, name: WorkloadName): number | null {
  return throughput.find(({ workload }) => workload === name)?.servedShare.median ?? null;
}

function leastShare(service: ServedFigures): number {
  const shares = (['faces', 'objects', 'verify'] as const).map((name) => shareOf(service, name));
  return Math.min(...shares.filter((share) => share !== null));
}

/** Null if it was not measured. */
function leastPythonShare({ throughput }: ServedFigures): number | null {
  const shares = throughput
    .filter(({ workload }) => workload !== 'identify')
    .flatMap(({ servedShareOfPython: share }) => (share === null ? [] : [share.median]));
  return shares.length === 0 ? null : Math.min(...shares);
}

/** Describes the Python loop, or says why its cells are empty. */
function pythonNote({ served }: BenchFigures): string {
  const measured = served.some((service) => leastPythonShare(service) !== null);
  return measured
    ? 'It knows SCRFD, ArcFace and YOLOv8, and stores nothing.'
    : 'Not measured: `SIGHTLINE_BENCH_PYTHON` names no interpreter with these packages.';
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
      'Python images/s',
      'served / Python',
      'generator',
    ],
    rows.map((row) => [
      `\`${row.endpoint}\``,
      row.bare.toFixed(1),
      row.served.toFixed(1),
      spreadCell(row.servedShare, 3),
      spreadCell(row.runtimeShare, 3),
      row.python?.toFixed(1) ?? 'not measured',
      row.servedShareOfPython === null ? 'not measured' : spreadCell(row.servedShareOfPython, 3),
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
      quartilesCell(added),
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

function fairnessTable({ endpoint, alone, beside, ratio, refusedShare }: FairnessFigures): string {
  const refused = `${(100 * refusedShare).toFixed(0)} %`;
  return table(
    ['endpoint', 'alone', 'beside the flood', 'ratio', 'of the flood refused'],
    [[`\`${endpoint}\``, alone.toFixed(1), beside.toFixed(1), spreadCell(ratio, 2), refused]],
  );
}
