import type { LoadGenerator } from './load-generator.ts';
import { median, type Spread, spreadOf } from './statistics.ts';
import { WORKLOADS, type WorkloadName } from './workloads.ts';

/** One process, and the platform's processes with as many inference threads, on the same cores. */
export interface Compositions {
  readonly oneProcess: LoadGenerator;
  readonly platform: LoadGenerator;
}

export interface CompositionFigures {
  readonly workload: WorkloadName;
  readonly endpoint: string;
  /** Images per second. */
  readonly oneProcess: number;
  readonly platform: number;
  /** Of the one process's throughput in the same round. */
  readonly share: Spread;
}

export interface CompositionRun {
  readonly workload: WorkloadName;
  /** Requests in flight. */
  readonly concurrency: number;
  /** A round does whole passes over so many photos. */
  readonly photos: number;
  readonly rounds: number;
  /** Of one side's turn in a round, roughly. */
  readonly seconds: number;
}

/** Both do the same operations in turn, so that what the machine does meanwhile meets both. */
export async function measureComposition(
  { oneProcess, platform }: Compositions,
  { workload, concurrency, photos, rounds, seconds }: CompositionRun,
): Promise<CompositionFigures> {
  const pass = { workload, operations: photos, concurrency };
  const [trial, other] = [await oneProcess.run(pass), await platform.run(pass)];
  if (trial.found !== other.found) {
    throw new Error(
      `${workload}: one process finds ${trial.found} things, the platform ${other.found}.`,
    );
  }
  const operations = photos * Math.max(1, Math.round(seconds / trial.seconds));
  const times: { readonly one: number; readonly many: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const one = await oneProcess.run({ ...pass, operations });
    const many = await platform.run({ ...pass, operations });
    times.push({ one: one.seconds, many: many.seconds });
  }
  const { endpoint, fields } = WORKLOADS[workload];
  const images = operations * fields.length;
  return {
    ...{ workload, endpoint },
    oneProcess: median(times.map(({ one }) => images / one)),
    platform: median(times.map(({ many }) => images / many)),
    share: spreadOf(times.map(({ one, many }) => one / many)),
  };
}
