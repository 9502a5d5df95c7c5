import { setTimeout as sleep } from 'node:timers/promises';
import { LAG_TICK_MS } from '@sightline/platform/metrics/metrics-registry';
import { type Bench, type Measured, passesIn } from './bench.ts';
import { markdownTable } from './markdown-table.ts';
import { readMetrics } from './metrics.ts';
import { inFlight, openFirstSides } from './sides.ts';

/** Measures one state after the other: each read of the metrics covers the time since the previous read. */
export async function measureLag(bench: Bench): Promise<Measured> {
  const [subject] = await bench.subjects();
  await using sides = await openFirstSides(bench);
  const { served, service, photos } = sides;
  const url = `${service.opsUrl}/metrics`;
  const load = { workload: 'faces', concurrency: inFlight(bench) } as const;
  const trial = await served.run({ ...load, operations: photos.length });
  await readMetrics(url);
  await sleep(bench.rounds * bench.seconds * 1000);
  const idle = await readTicks(url);
  const operations = bench.rounds * photos.length * passesIn(bench, trial.seconds);
  await served.run({ ...load, operations });
  const saturated = await readTicks(url);
  const row = (state: string, { p50, p99 }: Ticks) => [
    state,
    ...[p50, p99, p99 - LAG_TICK_MS].map((value) => value.toFixed(1)),
  ];
  const text = `## Event-loop lag

Milliseconds, from the service's own \`nodejs_eventloop_lag_*\` metrics, with ${subject!.name}. They measure
the time between two ticks of a timer of ${LAG_TICK_MS} ms, so an idle service shows ${LAG_TICK_MS} ms too. The lag is the
rest.

${markdownTable(
  ['service', 'tick, p50', 'tick, p99', 'lag, p99'],
  [row('idle', idle), row('saturated', saturated)],
)}`;
  const lag = `${(saturated.p99 - LAG_TICK_MS).toFixed(1)} ms`;
  return { text, goals: [['event-loop lag under full load, p99', 'at most 10 ms', lag]] };
}

interface Ticks {
  readonly p50: number;
  readonly p99: number;
}

async function readTicks(url: string): Promise<Ticks> {
  const metrics = await readMetrics(url);
  const milliseconds = (share: string) =>
    1000 * metrics.sum(`nodejs_eventloop_lag_${share}_seconds`);
  return { p50: milliseconds('p50'), p99: milliseconds('p99') };
}
