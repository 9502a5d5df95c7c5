import type { BareLoop } from './bare-loop.ts';
import type { LoadedService, LoadGenerator } from './load-generator.ts';
import type { Photo } from './photos.ts';
import type { PythonLoop } from './python-loop.ts';

/** Keeps the workers busy without making the queue long. */
const REQUESTS_PER_WORKER = 3;

/** The sides of the comparison, and how long to compare them. Only one works at a time. */
export interface BenchContext {
  readonly bare: BareLoop;
  readonly served: LoadGenerator;
  /** Null if this machine has no Python with what it needs. */
  readonly python: PythonLoop | null;
  /** The same service, with a key of another environment. */
  readonly flooded: LoadedService;
  readonly floodPhoto: Photo;
  /** Where the service's metrics are read. */
  readonly metricsUrl: string;
  /** Inference threads of the service, and threads of the bare loop. */
  readonly workers: number;
  /** How many photos there are: a round does whole passes over them. */
  readonly photos: number;
  readonly rounds: number;
  /** Of one side's turn in a round, roughly. */
  readonly seconds: number;
}

/** Whole passes over the photos that take about the wanted time, going by a trial of one pass. */
export function operationsPerRound(
  { photos, seconds }: BenchContext,
  trial: { readonly seconds: number },
): number {
  return photos * Math.max(1, Math.round(seconds / trial.seconds));
}

/** How many requests saturate the service. */
export function inFlight({ workers }: BenchContext): number {
  return REQUESTS_PER_WORKER * workers;
}
