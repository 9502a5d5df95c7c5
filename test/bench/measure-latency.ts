import { type BenchContext, operationsPerRound } from './bench-context.ts';
import { median, type Spread, spreadOf } from './statistics.ts';
import { WORKLOADS, type WorkloadName } from './workloads.ts';

/** In milliseconds, with one request at a time. */
export interface LatencyFigures {
  readonly endpoint: string;
  readonly bare: number;
  readonly served: number;
  /** Difference of the two medians of each round. */
  readonly added: Spread;
}

export async function measureLatency(
  context: BenchContext,
  workload: WorkloadName,
): Promise<LatencyFigures> {
  const { bare, served } = context;
  const alone = { workload, side: 'bare', threads: 1 } as const;
  const operations = operationsPerRound(
    context,
    await bare.run({ ...alone, operations: context.photos }),
  );
  const rounds: { readonly bare: number; readonly served: number }[] = [];
  for (let index = 0; index < context.rounds; index++) {
    const loop = await bare.run({ ...alone, operations });
    const service = await served.run({ workload, operations, concurrency: 1 });
    rounds.push({ bare: median(loop.milliseconds), served: median(service.milliseconds) });
  }
  return {
    endpoint: WORKLOADS[workload].endpoint,
    bare: median(rounds.map((round) => round.bare)),
    served: median(rounds.map((round) => round.served)),
    added: spreadOf(rounds.map((round) => round.served - round.bare)),
  };
}
