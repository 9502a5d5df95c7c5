import { setTimeout as sleep } from 'node:timers/promises';
import { LAG_TICK_MS } from '@sightline/platform/metrics/metrics-registry';
import { type BenchContext, inFlight, operationsPerRound } from './bench-context.ts';

/** The delays of the service's event loop in milliseconds, from its own metrics. */
export interface LagFigures {
  readonly state: 'idle' | 'saturated';
  /** The time between two ticks of the timer. */
  readonly tickP50: number;
  readonly tickP99: number;
  /** The delay of the timer. */
  readonly lagP99: number;
}

/** Measures one state after the other: each read of the metrics covers the time since the previous read. */
export async function measureLag(context: BenchContext): Promise<LagFigures[]> {
  const { served, metricsUrl, rounds, seconds, photos } = context;
  const load = { workload: 'faces', concurrency: inFlight(context) } as const;
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
  const tickP99 = milliseconds(metrics, 'nodejs_eventloop_lag_p99_seconds');
  return {
    state,
    tickP50: milliseconds(metrics, 'nodejs_eventloop_lag_p50_seconds'),
    tickP99,
    lagP99: tickP99 - LAG_TICK_MS,
  };
}

function milliseconds(metrics: string, name: string): number {
  const [, seconds] = new RegExp(`^${name} (.+)$`, 'm').exec(metrics) ?? [];
  if (seconds === undefined) throw new Error(`The service has no metric ${name}.`);
  return 1000 * Number(seconds);
}
