import { startPlatform } from '../support/services/running-platform.ts';
import { type RunningStandalone, startStandalone } from '../support/services/running-standalone.ts';
import { type ArchiveFigures, measureArchives } from './archives/measure-archives.ts';
import { BareLoop } from './bare-loop.ts';
import type { BenchContext } from './bench-context.ts';
import { type LibraryFigures, measureLibrary } from './library/measure-library.ts';
import { JobClient } from './job-client.ts';
import { LoadGenerator } from './load-generator.ts';
import { idleShare } from './machine.ts';
import { type CompositionFigures, measureComposition } from './measure-composition.ts';
import { type FairnessFigures, measureFairness } from './measure-fairness.ts';
import { type HopFigures, measureHop } from './measure-hop.ts';
import { type JobFigures, measureJobs } from './measure-jobs.ts';
import { type KernelFigures, measureKernels } from './measure-kernels.ts';
import { type LagFigures, measureLag } from './measure-lag.ts';
import { type LatencyFigures, measureLatency } from './measure-latency.ts';
import {
  type MeasuredQdrant,
  measureQdrantSearch,
  type QdrantSearchFigures,
} from './measure-qdrant-search.ts';
import { measureSearch, type SearchFigures } from './measure-search.ts';
import { measureStages, StageClock, type StageFigures } from './measure-stages.ts';
import { measureThroughput, type ThroughputFigures } from './measure-throughput.ts';
import { loadPhotos, type PhotoSet } from './photos.ts';
import { hasPythonLoop, PythonLoop } from './python-loop.ts';
import type { Subject } from './subjects.ts';
import { type EventFigures, measureEvents } from './events/measure-events.ts';
import { benchSwaps, type SwapBenchFigures, type SwapBenchOptions } from './swaps/bench-swaps.ts';

export interface BenchOptions {
  /** The interpreter of the Python loop. */
  readonly python: string;
  readonly rounds: number;
  /** The approximate length of one side's turn in a round. */
  readonly seconds: number;
}

/** The compared endpoints: without storing, with a search in the index, and with everything stored. */
const COMPARED = ['faces', 'identify', 'detect'] as const;

/** The most images that a job may have. */
const JOB_IMAGES = 200;
/** The numbers of unread events at the start, and of entries in the feed that is read. */
const EVENTS = { unread: 360_000, entries: 10_000_000 } as const;
/** The numbers of timed swaps, and of enrolled faces that are embedded again. */
const SWAPS = { count: 10, faces: 10_000 };
/** One round of jobs takes as long as this many other rounds. */
const ROUNDS_PER_ROUND_OF_JOBS = 3;
/** The number of timed round trips: they are short. */
const HOPS = 200;
/** The factor for the seconds of a turn: at the end of a turn some processes are idle already. */
const LONGER_TURNS = 4;

/** The figures of a service with one subject's models. */
export interface ServedFigures {
  readonly models: string;
  readonly throughput: readonly ThroughputFigures[];
  readonly latency: readonly LatencyFigures[];
}

export interface BenchFigures extends BenchOptions {
  readonly photos: PhotoSet;
  readonly workers: number;
  /** The times are in the order of `served`. */
  readonly stages: {
    readonly small: readonly StageFigures[];
    readonly large: readonly StageFigures[];
  };
  readonly served: readonly ServedFigures[];
  /** The figures of the service with the first models. */
  readonly lag: readonly LagFigures[];
  /** The figures of the service with the first models. */
  readonly fairness: FairnessFigures;
  /** The figures of the service with the first models. */
  readonly jobs: JobFigures;
  readonly archives: ArchiveFigures;
  readonly swaps: SwapBenchFigures;
  readonly events: EventFigures;
  /** The figures of the round trip to an inference process. */
  readonly hop: readonly HopFigures[];
  readonly kernels: readonly KernelFigures[];
  /** The figures of both compositions with the first models. */
  readonly compositions: readonly CompositionFigures[];
  readonly library: LibraryFigures;
  readonly search: readonly SearchFigures[];
  /** Empty if there is no Qdrant. */
  readonly qdrantSearch: readonly QdrantSearchFigures[];
}

/** Runs all measurements, one after the other, and prints the name of each on stderr. */
export async function runBench(
  subjects: readonly Subject[],
  options: BenchOptions & { readonly workers: number; readonly qdrant: MeasuredQdrant | null },
): Promise<BenchFigures> {
  const { qdrant, ...measured } = options;
  // The round trip comes first: it takes little time compared with garbage collection in a large heap.
  announce('the round trip to an inference process');
  const hop = await measureHop(HOPS);
  // The search comes early, because it measures the growth of this process's memory.
  const { search, qdrantSearch } = await benchSearch(qdrant);
  announce('kernels');
  const kernels = measureKernels();
  const { photos, stages } = await benchStages(subjects, options);
  const served: ServedFigures[] = [];
  const lag: LagFigures[] = [];
  let fairness: FairnessFigures | null = null;
  let jobs: JobFigures | null = null;
  for (const subject of subjects) {
    await using sides = await openSides(subject, photos, options);
    served.push(await benchService(sides.context, subject));
    if (subject !== subjects[0]) continue;
    announce('event-loop lag');
    lag.push(...(await measureLag(sides.context)));
    announce('latency beside the flood of another environment');
    fairness = await measureFairness(sides.context);
    const jobRounds = Math.ceil(options.rounds / ROUNDS_PER_ROUND_OF_JOBS);
    jobs = await jobsOf(sides, photos, { ...options, rounds: jobRounds, images: JOB_IMAGES });
  }
  const compositions = await benchCompositions(subjects[0]!, photos, options);
  announce('archives');
  const archives = await measureArchives({ gigabytes: 1, rounds: options.rounds });
  const swaps = await benchSwapsOfPhotos(subjects, { workers: options.workers, ...SWAPS });
  announce('events');
  const { rounds, seconds } = options;
  const events = await measureEvents({ rounds, seconds, ...EVENTS });
  announce('a large library');
  const library = await measureLibrary(1);
  const ofTheFirst = { lag, fairness: fairness!, jobs: jobs! };
  const inProcess = { photos, stages, kernels, served, ...ofTheFirst };
  return {
    ...measured,
    ...inProcess,
    hop,
    compositions,
    archives,
    swaps,
    events,
    library,
    search,
    qdrantSearch,
  };
}

/** Measures jobs with the first models. */
export async function benchJobs(
  [subject]: readonly Subject[],
  options: { readonly workers: number; readonly rounds: number; readonly images?: number },
): Promise<JobFigures> {
  const photos = await photosOf(subject!);
  await using sides = await openService(subject!, photos, options.workers);
  return await jobsOf(sides, photos, { images: JOB_IMAGES, ...options });
}

/** Measures swaps with the usual photos, and with models of their own. */
export async function benchSwapsOfPhotos(
  [subject]: readonly Subject[],
  options: Omit<SwapBenchOptions, 'photos'>,
): Promise<SwapBenchFigures> {
  const photos = await photosOf(subject!);
  announce('swaps of models');
  return benchSwaps({ ...options, photos: photos.small });
}

async function photosOf({ models }: Subject): Promise<PhotoSet> {
  await using clock = await StageClock.open(models);
  return await loadPhotos(clock.engine);
}

async function jobsOf(
  { service, bare, served }: Served,
  { small }: PhotoSet,
  run: { readonly workers: number; readonly rounds: number; readonly images: number },
): Promise<JobFigures> {
  announce(`jobs of ${run.images} images`);
  const { key } = await service.createKey({ environment: 'other', right: 'full' });
  const clientWith = (apiKey: string) => new JobClient({ urls: [service.url], apiKey }, small);
  const sides = { bare, served, many: clientWith(service.apiKey), other: clientWith(key) };
  const { workers, rounds, images } = run;
  const idle = await idleShare();
  return measureJobs(sides, { workers, rounds, images, photos: small.length, idle });
}

/** Measures searches, which need neither models nor photos. */
export async function benchSearch(
  qdrant: MeasuredQdrant | null,
): Promise<Pick<BenchFigures, 'search' | 'qdrantSearch'>> {
  announce('search');
  const search = await measureSearch();
  if (qdrant === null) return { search, qdrantSearch: [] };
  announce('search in a Qdrant');
  return { search, qdrantSearch: await measureQdrantSearch(qdrant) };
}

async function benchStages(
  subjects: readonly Subject[],
  { rounds }: BenchOptions,
): Promise<Pick<BenchFigures, 'photos' | 'stages'>> {
  announce('stages');
  await using resources = new AsyncDisposableStack();
  const clocks: StageClock[] = [];
  for (const { models } of subjects) clocks.push(resources.use(await StageClock.open(models)));
  const photos = await loadPhotos(clocks[0]!.engine);
  const small = await measureStages(clocks, photos.small, rounds);
  const large = await measureStages(clocks, [photos.large], rounds * 3);
  return { photos, stages: { small, large } };
}

interface Served extends AsyncDisposable {
  readonly service: RunningStandalone;
  readonly bare: BareLoop;
  readonly served: LoadGenerator;
}

/** A service with the subject's models, and a bare loop with the same models. */
async function openService(
  { models, settings }: Subject,
  { small }: PhotoSet,
  workers: number,
): Promise<Served> {
  await using opening = new AsyncDisposableStack();
  const service = opening.use(
    await startStandalone({
      SIGHTLINE_PROVIDER: 'cpu',
      SIGHTLINE_WORKERS: String(workers),
      ...settings,
    }),
  );
  const bare = opening.use(
    await BareLoop.start({ models, photos: small.map(({ bytes }) => bytes) }, workers),
  );
  const served = opening.use(
    new LoadGenerator({ urls: [service.url], apiKey: service.apiKey }, small),
  );
  const resources = opening.move();
  return { service, bare, served, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

interface Sides extends Served {
  readonly context: BenchContext;
}

/** All sides of the comparison with the subject's models. */
async function openSides(
  subject: Subject,
  photos: PhotoSet,
  options: BenchOptions & { readonly workers: number },
): Promise<Sides> {
  const { models } = subject;
  const { small } = photos;
  const { workers, python: interpreter } = options;
  await using opening = new AsyncDisposableStack();
  const sides = opening.use(await openService(subject, photos, workers));
  const { service, bare, served } = sides;
  const python = (await hasPythonLoop(interpreter))
    ? opening.use(
        await PythonLoop.start({ python: interpreter, models, photos: small, processes: workers }),
      )
    : null;
  const { key } = await service.createKey({ environment: 'flood', right: 'read' });
  const resources = opening.move();
  return {
    ...sides,
    context: {
      bare,
      served,
      flooded: { urls: [service.url], apiKey: key },
      floodPhoto: small[0]!,
      ...options,
      python,
      metricsUrl: `${service.opsUrl}/metrics`,
      photos: small.length,
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function benchService(context: BenchContext, subject: Subject): Promise<ServedFigures> {
  const { name } = subject;
  const throughput: ThroughputFigures[] = [];
  for (const workload of subject.throughput) {
    announce(`throughput of ${workload} (${name})`);
    throughput.push(await measureThroughput(context, workload));
  }
  const latency: LatencyFigures[] = [];
  for (const workload of subject.latency) {
    announce(`latency of ${workload} (${name})`);
    latency.push(await measureLatency(context, workload));
  }
  return { models: name, throughput, latency };
}

/** Measures one process, and the platform with two API and two inference processes. */
async function benchCompositions(
  { settings }: Subject,
  { small }: PhotoSet,
  { workers, rounds, seconds: briefly }: BenchOptions & { readonly workers: number },
): Promise<CompositionFigures[]> {
  const seconds = briefly * LONGER_TURNS;
  await using resources = new AsyncDisposableStack();
  const cpu = { SIGHTLINE_PROVIDER: 'cpu', ...settings };
  const threads = (count: number) => ({ ...cpu, SIGHTLINE_WORKERS: String(count) });
  const service = resources.use(await startStandalone(threads(workers)));
  const processes = resources.use(
    await startPlatform({ settings: threads(Math.max(1, workers / 2)) }),
  );
  const oneProcess = resources.use(
    new LoadGenerator({ urls: [service.url], apiKey: service.apiKey }, small),
  );
  const platform = resources.use(new LoadGenerator(processes, small));
  const figures: CompositionFigures[] = [];
  for (const workload of COMPARED) {
    announce(`${workload} in one process and in several`);
    figures.push(
      await measureComposition(
        { oneProcess, platform },
        { workload, rounds, seconds, photos: small.length, concurrency: 3 * workers },
      ),
    );
  }
  return figures;
}

function announce(measurement: string): void {
  console.error(`measuring ${measurement} ...`);
}
