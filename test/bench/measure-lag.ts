import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchContext, operationsPerRound } from './bench-context.ts';

const METRIC = 'nodejs_eventloop_lag';

/** Lag of the service's event loop in milliseconds, by its own metrics. */
export interface LagFigures {
  readonly state: 'idle' | 'saturated';
  readonly p50: number;
  readonly p99: number;
}

/** The metrics describe the time since they were last read. */
export async function measureLag(context: BenchContext): Promise<LagFigures[]> {
  const { served, metricsUrl, rounds, seconds, workers, photos } = context;
  const load = { workload: 'faces', concurrency: 4 * workers } as const;
  const trial = await served.run({ ...load, operations: photos });
  await readMetrics(metricsUrl);
  await sleep(rounds * seconds * 1000);
  const idle = await readMetrics(metricsUrl);
  await served.run({ ...load, operations: rounds * operationsPerRound(context, trial) });
  const saturated = await readMetrics(metricsUrl);
  return [figuresOf('idle', idle), figuresOf('saturated', saturated)];
}

async function readMetrics(url: string): Promise<string> {
  return (await fetch(url)).text();
}

function figuresOf(state: LagFigures['state'], metrics: string): LagFigures {
  const milliseconds = (name: string) =>
    1000 * Number(new RegExp(`^${METRIC}_${name}_seconds (.+)$`, 'm').exec(metrics)?.[1]);
  return { state, p50: milliseconds('p50'), p99: milliseconds('p99') };
}
