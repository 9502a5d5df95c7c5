import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadedService } from '../load-generator.ts';
import type { Photo } from '../photos.ts';
import { median, percentile } from '../statistics.ts';
import { type ModelSwaps, secondsOf } from './model-swaps.ts';
import { type Period, SwapLoad } from './swap-load.ts';

/** A service whose models are exchanged while clients ask it. */
export interface SwappedService {
  readonly loaded: LoadedService;
  readonly swaps: ModelSwaps;
}

export interface SwapRun {
  readonly photos: readonly Photo[];
  /** How many swaps are timed. */
  readonly count: number;
}

export interface SwapFigures {
  readonly count: number;
  /** Of one swap, from the request until the new model answers. */
  readonly seconds: number;
  readonly requests: number;
  readonly failures: readonly string[];
  /** p99 of the requests that were under way during a swap, and of all others, in milliseconds. */
  readonly during: { readonly requests: number; readonly p99: number };
  readonly usual: { readonly requests: number; readonly p99: number };
}

/** Before the first swap, and between two: the usual. */
const PAUSE_MS = 5000;
/** The first requests are slower than the usual ones. */
const WARM_UP_MS = 3000;

/** Swaps the models of a service again and again while clients identify and detect. */
export async function measureSwaps(
  { loaded, swaps }: SwappedService,
  { photos, count }: SwapRun,
): Promise<SwapFigures> {
  const periods: Period[] = [];
  await using load = new SwapLoad(loaded, photos);
  await sleep(WARM_UP_MS);
  const begin = performance.now();
  await sleep(PAUSE_MS);
  for (let i = 0; i < count; i++) {
    periods.push(await swaps.swap());
    await sleep(PAUSE_MS);
  }
  const answers = load.answers.filter(({ start }) => start >= begin);
  const isDuring = (answer: Period) =>
    periods.some(({ start, end }) => answer.start < end && answer.end > start);
  return {
    count,
    seconds: median(periods.map(secondsOf)),
    requests: answers.length,
    failures: [...load.failures],
    during: tailOf(answers.filter(isDuring)),
    usual: tailOf(answers.filter((answer) => !isDuring(answer))),
  };
}

function tailOf(answers: readonly Period[]): SwapFigures['usual'] {
  const times = answers.map(({ start, end }) => end - start);
  return { requests: times.length, p99: percentile(times, 0.99) };
}
