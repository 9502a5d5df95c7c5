import { setTimeout as sleep } from 'node:timers/promises';
import { type LoadedService, LoadGenerator } from '../load-generator.ts';
import {
  type Period,
  PeriodLoad,
  type RepeatingClient,
  secondsOf,
  splitBy,
} from '../period-load.ts';
import type { Photo } from '../photos.ts';
import { median } from '../statistics.ts';
import type { ModelSwaps } from './model-swaps.ts';

/** A service whose models are switched while clients send requests. */
export interface SwappedService {
  readonly loaded: LoadedService;
  readonly swaps: ModelSwaps;
}

export interface SwapRun {
  readonly photos: readonly Photo[];
  /** The number of timed swaps. */
  readonly count: number;
}

export interface SwapFigures extends ReturnType<typeof splitBy> {
  /** The median duration of a swap, from the request until the new model answers. */
  readonly seconds: number;
  readonly requests: number;
  readonly failures: readonly string[];
}

/** The pause before the first swap and between two swaps. */
const PAUSE_MS = 5000;
/** Time for the first requests, which are slower than usual. */
const WARM_UP_MS = 3000;

/** Swaps the models of a service repeatedly while clients identify and detect. */
export async function measureSwaps(
  { loaded, swaps }: SwappedService,
  { photos, count }: SwapRun,
): Promise<SwapFigures> {
  const periods: Period[] = [];
  using generator = new LoadGenerator(loaded, photos);
  await using load = new PeriodLoad(photoClients(generator));
  await sleep(WARM_UP_MS);
  const begin = performance.now();
  await sleep(PAUSE_MS);
  for (let i = 0; i < count; i++) {
    periods.push(await swaps.swap());
    await sleep(PAUSE_MS);
  }
  const answers = load.answers.filter(({ start }) => start >= begin);
  return {
    seconds: median(periods.map(secondsOf)),
    requests: answers.length,
    failures: [...load.failures],
    ...splitBy(periods, answers),
  };
}

/** Two clients that repeat a photo, one to identify and one to detect, as soon as the previous answer has arrived. */
export function photoClients(generator: LoadGenerator): readonly RepeatingClient[] {
  return (['identify', 'detect'] as const).map(
    (workload) => (first) =>
      Promise.resolve(() => generator.run({ workload, first, operations: 1, concurrency: 1 })),
  );
}
