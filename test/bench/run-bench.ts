import type { SelectedPacks } from '@sightline/engine/packs/select-packs';
import { startStandalone } from '../support/running-standalone.ts';
import { BareLoop } from './bare-loop.ts';
import type { BenchContext } from './bench-context.ts';
import { LoadGenerator } from './load-generator.ts';
import { type LagFigures, measureLag } from './measure-lag.ts';
import { type LatencyFigures, measureLatency } from './measure-latency.ts';
import { measureSearch, type SearchFigures } from './measure-search.ts';
import { StageClock, type StageFigures } from './measure-stages.ts';
import { measureThroughput, type ThroughputFigures } from './measure-throughput.ts';
import { loadPhotos, type PhotoSet } from './photos.ts';

export interface BenchOptions {
  readonly rounds: number;
  /** Of each side's turn in a round, roughly. */
  readonly seconds: number;
}

export interface BenchFigures extends BenchOptions {
  readonly photos: PhotoSet;
  readonly workers: number;
  readonly stages: {
    readonly small: readonly StageFigures[];
    readonly large: readonly StageFigures[];
  };
  readonly throughput: readonly ThroughputFigures[];
  readonly latency: readonly LatencyFigures[];
  readonly lag: readonly LagFigures[];
  readonly search: readonly SearchFigures[];
}

interface Subject {
  readonly models: SelectedPacks;
  readonly workers: number;
}

/** All measurements, one after the other; says on stderr which one is under way. */
export async function runBench(subject: Subject, options: BenchOptions): Promise<BenchFigures> {
  const { workers } = subject;
  // First: it measures the memory of this process.
  announce('search');
  const search = await measureSearch();
  const { photos, stages } = await benchStages(subject, options);
  const { small } = photos;
  await using service = await startStandalone({
    SIGHTLINE_PROVIDER: 'cpu',
    SIGHTLINE_WORKERS: String(workers),
  });
  await using bare = await BareLoop.start(
    { models: subject.models, photos: small.map(({ bytes }) => bytes) },
    workers,
  );
  using served = new LoadGenerator(service, small);
  const metricsUrl = `${service.opsUrl}/metrics`;
  const context: BenchContext = {
    ...{ bare, served, metricsUrl, workers, ...options },
    photos: small.length,
  };
  return { ...options, workers, photos, stages, search, ...(await benchService(context)) };
}

async function benchStages(
  { models }: Subject,
  { rounds }: BenchOptions,
): Promise<Pick<BenchFigures, 'photos' | 'stages'>> {
  announce('stages');
  await using clock = await StageClock.open(models);
  const photos = await loadPhotos(clock.engine);
  const small = await clock.measure(photos.small, rounds);
  const large = await clock.measure([photos.large], rounds * 3);
  return { photos, stages: { small, large } };
}

async function benchService(
  context: BenchContext,
): Promise<Pick<BenchFigures, 'throughput' | 'latency' | 'lag'>> {
  const throughput: ThroughputFigures[] = [];
  for (const workload of ['faces', 'objects', 'verify', 'identify', 'detect'] as const) {
    announce(`throughput of ${workload}`);
    throughput.push(await measureThroughput(context, workload));
  }
  const latency: LatencyFigures[] = [];
  for (const workload of ['faces', 'objects', 'detect'] as const) {
    announce(`latency of ${workload}`);
    latency.push(await measureLatency(context, workload));
  }
  announce('event-loop lag');
  return { throughput, latency, lag: await measureLag(context) };
}

function announce(measurement: string): void {
  console.error(`measuring ${measurement} ...`);
}
