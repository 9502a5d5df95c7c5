import { type BenchContext, operationsPerRound } from './bench-context.ts';
import { median, percentile } from './statistics.ts';
import { WORKLOADS, type WorkloadName } from './workloads.ts';

/** Milliseconds, with one request at a time. */
export interface LatencyFigures {
  readonly workload: WorkloadName;
  readonly endpoint: string;
  /** Medians. */
  readonly bare: number;
  readonly served: number;
  /** The quartiles of the time that the service adds to each operation. */
  readonly added: { readonly lower: number; readonly median: number; readonly upper: number };
}

/**
 * The sides take turns after each operation, because the machine's speed changes by more than the measured
 * difference, but not between two successive operations.
 */
export async function measureLatency(
  context: BenchContext,
  workload: WorkloadName,
): Promise<LatencyFigures> {
  const { bare, served, photos, rounds } = context;
  const alone = { workload, side: 'bare', threads: 1 } as const;
  const trial = await bare.run({ ...alone, operations: photos });
  const operations = rounds * operationsPerRound(context, trial);
  const bareTimes: number[] = [];
  const servedTimes: number[] = [];
  for (let first = 0; first < operations; first++) {
    const one = { workload, first, operations: 1 };
    bareTimes.push(...(await bare.run({ ...alone, ...one })).milliseconds);
    servedTimes.push(...(await served.run({ ...one, concurrency: 1 })).milliseconds);
  }
  const added = servedTimes.map((time, index) => time - bareTimes[index]!);
  return {
    workload,
    endpoint: WORKLOADS[workload].endpoint,
    bare: median(bareTimes),
    served: median(servedTimes),
    added: {
      lower: percentile(added, 0.25),
      median: median(added),
      upper: percentile(added, 0.75),
    },
  };
}
