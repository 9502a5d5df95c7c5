import type { LoadGenerator, ServedResult } from './load-generator.ts';
import { median, type Spread, spreadOf } from './statistics.ts';
import { WORKLOADS, type WorkloadName } from './workloads.ts';

/** One process, and a platform of several processes with the same number of inference threads, on the same cores. */
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
  /** The platform's throughput as a share of the one process's, per round. */
  readonly share: Spread;
}

export interface CompositionRun {
  readonly workload: WorkloadName;
  /** Requests in flight. */
  readonly concurrency: number;
  /** The number of photos. A round does whole passes over them. */
  readonly photos: number;
  readonly rounds: number;
  /** The approximate length of one side's turn in a round. */
  readonly seconds: number;
}

/** Both sides do the same operations in turn, so that changes of the machine's speed affect both. */
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
  const { endpoint, fields } = WORKLOADS[workload];
  const rates: { readonly one: number; readonly many: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const one = await oneProcess.run({ ...pass, operations });
    const many = await platform.run({ ...pass, operations });
    rates.push({ one: fields.length * rateOf(one), many: fields.length * rateOf(many) });
  }
  return {
    workload,
    endpoint,
    oneProcess: median(rates.map(({ one }) => one)),
    platform: median(rates.map(({ many }) => many)),
    share: spreadOf(rates.map(({ one, many }) => many / one)),
  };
}

/**
 * Operations per second while all clients are busy. At the end of a turn one inference process may be idle
 * while requests still wait for another one, which says nothing about throughput.
 */
function rateOf({ saturated }: ServedResult): number {
  return saturated.operations / saturated.seconds;
}
