import { type Bench, type Measured, passesIn } from './bench.ts';
import { quartilesCell } from './cells.ts';
import { markdownTable } from './markdown-table.ts';
import { openSides, type Sides } from './sides.ts';
import { median } from './statistics.ts';
import { WORKLOADS, type WorkloadName } from './workloads.ts';

interface Figures {
  readonly bare: readonly number[];
  readonly served: readonly number[];
  /** The milliseconds that the service adds to each operation. */
  readonly added: readonly number[];
}

export async function measureLatency(bench: Bench): Promise<Measured> {
  const tables: string[] = [];
  const worst: string[] = [];
  for (const subject of await bench.subjects()) {
    await using sides = await openSides(bench, subject);
    const all: (Figures & { readonly name: WorkloadName })[] = [];
    for (const name of subject.latency) all.push({ name, ...(await measure(bench, sides, name)) });
    const rows = all.map(({ name, bare, served, added }) => [
      `\`${WORKLOADS[name].endpoint}\``,
      median(bare).toFixed(1),
      median(served).toFixed(1),
      quartilesCell(added),
    ]);
    const table = markdownTable(['endpoint', 'bare', 'served', 'added'], rows);
    tables.push(`With ${subject.name}:\n\n${table}`);
    const unstored = all.filter(({ name }) => name !== 'detect');
    worst.push(`${Math.max(...unstored.map(({ added }) => median(added))).toFixed(1)} ms`);
  }
  const text = `## Latency

Milliseconds of one request at a time, and of the bare loop with one thread. They take turns image by image. The last
column is how much longer the same image takes when it is served: the median, and the quartiles.

${tables.join('\n\n')}`;
  const goal = 'latency added to one request at a time that stores nothing, median';
  return { text, goals: [[goal, 'at most 5 ms', ...worst]] };
}

/**
 * The sides take turns after each operation, because the machine's speed changes by more than the measured
 * difference, but not between two successive operations.
 */
async function measure(
  bench: Bench,
  { bare, served, photos }: Sides,
  workload: WorkloadName,
): Promise<Figures> {
  const alone = { workload, side: 'bare', threads: 1 } as const;
  const trial = await bare.run({ ...alone, operations: photos.length });
  const operations = bench.rounds * photos.length * passesIn(bench, trial.seconds);
  const bareTimes: number[] = [];
  const servedTimes: number[] = [];
  for (let first = 0; first < operations; first++) {
    const one = { workload, first, operations: 1 };
    bareTimes.push(...(await bare.run({ ...alone, ...one })).milliseconds);
    servedTimes.push(...(await served.run({ ...one, concurrency: 1 })).milliseconds);
  }
  const added = servedTimes.map((time, at) => time - bareTimes[at]!);
  return { bare: bareTimes, served: servedTimes, added };
}
