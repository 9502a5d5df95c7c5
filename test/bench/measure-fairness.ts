import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchContext, operationsPerRound } from './bench-context.ts';
import { Flood } from './flood.ts';
import { median, type Spread, spreadOf } from './statistics.ts';
import { WORKLOADS } from './workloads.ts';

export const FLOODING_LOOPS = 80;
/** Time for the flood to fill the queue. */
const FLOOD_BEGINS_MS = 2_000;
/** Enough for a median. */
const LEAST_OPERATIONS = 5;

/** One request at a time, alone and beside another environment's flood: medians in milliseconds. */
export interface FairnessFigures {
  readonly endpoint: string;
  readonly alone: number;
  readonly beside: number;
  /** The latency beside the flood, divided by that without it, per round. */
  readonly ratio: Spread;
  /** The share of the flood's requests that were refused, 0..1. */
  readonly refusedShare: number;
}

export async function measureFairness(context: BenchContext): Promise<FairnessFigures> {
  const { served, flooded, floodPhoto, photos, rounds } = context;
  const { endpoint } = WORKLOADS.faces;
  const one = { workload: 'faces', concurrency: 1 } as const;
  const trial = await served.run({ ...one, operations: photos });
  const perRound = Math.ceil(operationsPerRound(context, trial) / photos);
  const operations = Math.max(LEAST_OPERATIONS, perRound * photos);
  const times: { readonly alone: number; readonly beside: number }[] = [];
  const answers = { all: 0, served: 0 };
  for (let round = 0; round < rounds; round++) {
    const alone = median((await served.run({ ...one, operations })).milliseconds);
    await using flood = await Flood.start(flooded, floodPhoto, {
      path: endpoint,
      loops: FLOODING_LOOPS,
    });
    await sleep(FLOOD_BEGINS_MS);
    const beside = median((await served.run({ ...one, operations })).milliseconds);
    times.push({ alone, beside });
    answers.all += [...flood.answers.values()].reduce((total, count) => total + count, 0);
    answers.served += flood.answers.get(200) ?? 0;
  }
  return {
    endpoint,
    alone: median(times.map(({ alone }) => alone)),
    beside: median(times.map(({ beside }) => beside)),
    ratio: spreadOf(times.map(({ alone, beside }) => beside / alone)),
    refusedShare: 1 - answers.served / answers.all,
  };
}
