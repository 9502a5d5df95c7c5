import { type BenchContext, inFlight, operationsPerRound } from './bench-context.ts';
import { median, type Spread, spreadOf } from './statistics.ts';
import { type RunResult, WORKLOADS, type WorkloadName } from './workloads.ts';

export interface ThroughputFigures {
  readonly workload: WorkloadName;
  readonly endpoint: string;
  /** Images per second. */
  readonly bare: number;
  readonly served: number;
  readonly runtime: number;
  /** Images per second, and the service's share; both null if Python was not measured. */
  readonly python: number | null;
  /** The service's throughput as a share of the bare loop's, per round. */
  readonly servedShare: Spread;
  /** The service's throughput as a share of the Python loop's, per round. */
  readonly servedShareOfPython: Spread | null;
  /** The share of the bare loop's time that onnxruntime takes. */
  readonly runtimeShare: Spread;
  /** The share of one core that the load generator takes while the service is measured. */
  readonly generatorShare: number;
}

interface Round {
  readonly bare: RunResult;
  readonly served: RunResult;
  readonly runtime: RunResult;
  readonly python: RunResult | null;
  readonly generatorShare: number;
}

/**
 * The sides do the same operations in turn over several rounds, so that changes of the machine's speed affect
 * all of them.
 */
export async function measureThroughput(
  context: BenchContext,
  workload: WorkloadName,
): Promise<ThroughputFigures> {
  const operations = operationsPerRound(context, (await trial(context, workload)).bare);
  const rounds: Round[] = [];
  for (let index = 0; index < context.rounds; index++) {
    rounds.push(await measureRound(context, { workload, operations }));
  }
  const { endpoint, fields } = WORKLOADS[workload];
  const images = operations * fields.length;
  const rate = (side: 'bare' | 'served' | 'runtime') =>
    median(rounds.map((round) => images / round[side].seconds));
  const python = rounds.flatMap(({ python: loop, served }) =>
    loop === null ? [] : [{ rate: images / loop.seconds, share: loop.seconds / served.seconds }],
  );
  return {
    workload,
    endpoint,
    bare: rate('bare'),
    served: rate('served'),
    runtime: rate('runtime'),
    python: python.length === 0 ? null : median(python.map((round) => round.rate)),
    servedShareOfPython: python.length === 0 ? null : spreadOf(python.map(({ share }) => share)),
    servedShare: spreadOf(rounds.map(({ bare, served }) => bare.seconds / served.seconds)),
    runtimeShare: spreadOf(rounds.map(({ bare, runtime }) => runtime.seconds / bare.seconds)),
    generatorShare: median(rounds.map((round) => round.generatorShare)),
  };
}

/** Warms all sides up with one pass, and checks that the service finds as much as the loops. */
async function trial(context: BenchContext, workload: WorkloadName): Promise<Round> {
  const result = await measureRound(context, { workload, operations: context.photos });
  const { bare, served, python } = result;
  if (bare.found !== served.found || (python !== null && python.found !== served.found)) {
    const others = [`the bare loop ${bare.found}`, ...(python ? [`Python ${python.found}`] : [])];
    throw new Error(`${workload}: the service finds ${served.found} things, ${others.join(', ')}.`);
  }
  return measureRound(context, { workload, operations: context.photos });
}

async function measureRound(
  context: BenchContext,
  run: { readonly workload: WorkloadName; readonly operations: number },
): Promise<Round> {
  const { bare, served, python } = context;
  const bareResult = await bare.run({ ...run, side: 'bare' });
  const before = process.cpuUsage();
  const servedResult = await served.run({ ...run, concurrency: inFlight(context) });
  const { user, system } = process.cpuUsage(before);
  return {
    bare: bareResult,
    served: servedResult,
    runtime: await bare.run({ ...run, side: 'runtime' }),
    python: python?.does(WORKLOADS[run.workload]) ? await python.run(run) : null,
    generatorShare: (user + system) / 1e6 / servedResult.seconds,
  };
}
