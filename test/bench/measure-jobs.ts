import type { BareLoop } from './bare-loop.ts';
import type { JobClient } from './job-client.ts';
import type { LoadGenerator } from './load-generator.ts';
import { median, percentile, type Spread, spreadOf } from './statistics.ts';

/** The bare loop, and a service with two tenants, one of which submits many images. */
export interface JobSides {
  readonly bare: BareLoop;
  readonly served: LoadGenerator;
  readonly many: JobClient;
  readonly other: JobClient;
}

export interface JobRun {
  /** The number of images in the larger job. */
  readonly images: number;
  readonly photos: number;
  readonly workers: number;
  readonly rounds: number;
  /** The idle share of the machine's cores before the measurement, 0..1. */
  readonly idle: number;
}

export interface JobFigures extends JobRun {
  /** Images per second. */
  readonly bare: number;
  readonly job: number;
  /** The job's throughput as a share of the bare loop's, per round. */
  readonly share: Spread;
  /** The share of the job's time until its images were submitted and stored. */
  readonly handIn: Spread;
  /** The number of timed requests beside the job, in all rounds. */
  readonly requests: number;
  /** The p99 of one request at a time, in milliseconds. */
  readonly alone: number;
  readonly beside: number;
  readonly latencyRatio: Spread;
  /** Seconds of a job of one image. */
  readonly oneAlone: number;
  readonly oneBeside: number;
  /**
   * The time of a job of one image beside the larger job, as a share of its limit: twice its time alone plus
   * the time of one image.
   */
  readonly oneShare: Spread;
}

interface Round {
  readonly bareSeconds: number;
  readonly jobSeconds: number;
  readonly handInSeconds: number;
  readonly alone: readonly number[];
  readonly beside: readonly number[];
  readonly oneAlone: number;
  readonly oneBeside: number;
}

/** The jobs detect faces, so the bare loop runs the analysis of `/api/detect/faces`. */
const BARE = { workload: 'detect', side: 'bare' } as const;
const ONE_AT_A_TIME = { workload: 'faces', concurrency: 1 } as const;
/** Enough requests for a p99, together with those of the other rounds. */
const REQUESTS_ALONE = 30;
const JOBS_ALONE = 3;

/** All sides take turns over several rounds, so that changes of the machine's speed affect all of them. */
export async function measureJobs(sides: JobSides, run: JobRun): Promise<JobFigures> {
  await warmUp(sides, run);
  const rounds: Round[] = [];
  for (let round = 0; round < run.rounds; round++) rounds.push(await measureRound(sides, run));
  const { images, workers } = run;
  const itemSeconds = ({ jobSeconds }: Round) => (workers * jobSeconds) / images;
  const p99 = (times: readonly number[]) => percentile(times, 0.99);
  return {
    ...run,
    bare: median(rounds.map(({ bareSeconds }) => images / bareSeconds)),
    job: median(rounds.map(({ jobSeconds }) => images / jobSeconds)),
    share: spreadOf(rounds.map(({ bareSeconds, jobSeconds }) => bareSeconds / jobSeconds)),
    handIn: spreadOf(rounds.map(({ handInSeconds, jobSeconds }) => handInSeconds / jobSeconds)),
    requests: rounds.reduce((total, { beside }) => total + beside.length, 0),
    alone: p99(rounds.flatMap(({ alone }) => alone)),
    beside: p99(rounds.flatMap(({ beside }) => beside)),
    latencyRatio: spreadOf(rounds.map(({ alone, beside }) => p99(beside) / p99(alone))),
    oneAlone: median(rounds.map(({ oneAlone }) => oneAlone)),
    oneBeside: median(rounds.map(({ oneBeside }) => oneBeside)),
    oneShare: spreadOf(
      rounds.map((round) => round.oneBeside / (2 * round.oneAlone + itemSeconds(round))),
    ),
  };
}

async function warmUp({ bare, served, many, other }: JobSides, { photos }: JobRun): Promise<void> {
  await bare.run({ ...BARE, operations: photos });
  await served.run({ ...ONE_AT_A_TIME, operations: photos });
  await many.run(photos);
  await other.run(1);
}

async function measureRound(sides: JobSides, { images }: JobRun): Promise<Round> {
  const { bare, served, many, other } = sides;
  const { seconds: bareSeconds } = await bare.run({ ...BARE, operations: images });
  const job = await many.handIn(images);
  const jobSeconds = await job.ended;
  const requests = { ...ONE_AT_A_TIME, operations: REQUESTS_ALONE };
  const { milliseconds: alone } = await served.run(requests);
  const beside = await requestsBeside(sides, images);
  const ones: number[] = [];
  for (let i = 0; i < JOBS_ALONE; i++) ones.push(await other.run(1));
  const oneBeside = median(await jobsBeside(sides, images));
  const { handInSeconds } = job;
  const times = { bareSeconds, jobSeconds, handInSeconds };
  return { ...times, alone, beside, oneAlone: median(ones), oneBeside };
}

/** Milliseconds of single requests, one after the other, that ended before the job. */
async function requestsBeside(
  { served, many }: JobSides,
  images: number,
): Promise<readonly number[]> {
  const job = await many.handIn(images);
  const milliseconds: number[] = [];
  for (let first = 0; ; first++) {
    const one = await served.run({ ...ONE_AT_A_TIME, first, operations: 1 });
    if (job.isOver()) break;
    milliseconds.push(...one.milliseconds);
  }
  await job.ended;
  return milliseconds;
}

/** Seconds of jobs of one image, one after the other, that ended before the large one. */
async function jobsBeside({ many, other }: JobSides, images: number): Promise<readonly number[]> {
  const job = await many.handIn(images);
  const seconds: number[] = [];
  for (;;) {
    const one = await other.run(1);
    if (job.isOver()) break;
    seconds.push(one);
  }
  await job.ended;
  return seconds;
}
