import type { BareLoop } from './bare-loop.ts';
import type { LoadedService, LoadGenerator } from './load-generator.ts';
import type { Photo } from './photos.ts';
import type { PythonLoop } from './python-loop.ts';

/** Enough requests to keep the workers busy without a long queue. */
const REQUESTS_PER_WORKER = 3;

/** The compared sides, of which only one works at a time, and the length of the comparison. */
export interface BenchContext {
  readonly bare: BareLoop;
  readonly served: LoadGenerator;
  /** Null if this machine has no Python with the loop's packages. */
  readonly python: PythonLoop | null;
  /** The same service with a key of another environment, which the flood uses. */
  readonly flooded: LoadedService;
  readonly floodPhoto: Photo;
  /** The URL of the service's metrics. */
  readonly metricsUrl: string;
  /** The number of the service's inference threads, and of the bare loop's threads. */
  readonly workers: number;
  /** The number of photos. A round does whole passes over them. */
  readonly photos: number;
  readonly rounds: number;
  /** The approximate length of one side's turn in a round. */
  readonly seconds: number;
}

/** The operations of whole passes over the photos that take about `seconds`, estimated from a trial of one pass. */
export function operationsPerRound(
  { photos, seconds }: BenchContext,
  trial: { readonly seconds: number },
): number {
  return photos * Math.max(1, Math.round(seconds / trial.seconds));
}

/** The number of requests in flight that saturates the service. */
export function inFlight({ workers }: BenchContext): number {
  return REQUESTS_PER_WORKER * workers;
}
