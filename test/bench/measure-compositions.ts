import { startPlatform } from '../support/services/running-platform.ts';
import { startStandalone } from '../support/services/running-standalone.ts';
import { type Bench, type Measured, passesIn, repeat } from './bench.ts';
import { spreadCell } from './cells.ts';
import { LoadGenerator, type ServedResult } from './load-generator.ts';
import { markdownTable } from './markdown-table.ts';
import { inFlight, threads } from './sides.ts';
import { median } from './statistics.ts';
import { WORKLOADS } from './workloads.ts';

/**
 * Turns are this many times as long as those of other measures. At the end of a turn some processes are already idle,
 * which would distort a short turn more.
 */
const LONGER_TURNS = 4;

/** Compares one process with several that have as many inference threads, on the same cores. */
export async function measureCompositions(bench: Bench): Promise<Measured> {
  const [subject] = await bench.subjects();
  const { name, settings } = subject!;
  const { small: photos } = await bench.photos();
  const half = Math.max(1, bench.workers / 2);
  await using resources = new AsyncDisposableStack();
  const service = resources.use(await startStandalone(threads(bench.workers, settings)));
  const processes = resources.use(await startPlatform({ settings: threads(half, settings) }));
  const loaded = { urls: [service.url], apiKey: service.apiKey };
  const one = resources.use(new LoadGenerator(loaded, photos));
  const several = resources.use(new LoadGenerator(processes, photos));
  const rows: string[][] = [];
  const ratios: number[] = [];
  for (const workload of ['faces', 'identify', 'detect'] as const) {
    const pass = { workload, operations: photos.length, concurrency: inFlight(bench) };
    const [trial, other] = [await one.run(pass), await several.run(pass)];
    if (trial.found !== other.found) {
      throw new Error(
        `${workload}: one process finds ${trial.found} things, several ${other.found}.`,
      );
    }
    const passes = passesIn({ seconds: LONGER_TURNS * bench.seconds }, trial.seconds);
    const turn = { ...pass, operations: photos.length * passes };
    const rounds = await repeat(bench.rounds, async () => {
      const alone = rateOf(await one.run(turn));
      const shared = rateOf(await several.run(turn));
      return { alone, shared, ratio: shared / alone };
    });
    ratios.push(median(rounds.map(({ ratio }) => ratio)));
    rows.push([
      `\`${WORKLOADS[workload].endpoint}\``,
      median(rounds.map(({ alone }) => alone)).toFixed(1),
      median(rounds.map(({ shared }) => shared)).toFixed(1),
      spreadCell(
        rounds.map(({ ratio }) => ratio),
        3,
      ),
    ]);
  }
  const text = `## One process and several

With ${name}, on the same cores:

- one standalone process with ${bench.workers} worker threads, and all data in its folder;
- two standalone processes that share two inference processes of ${half} worker thread each, a Postgres on a
  port, and an S3 (MinIO). The stores run on these cores too, and each process has an index of its own.

The two sides take turns; requests alternate between the two standalone processes. A measurement ends when the last
request is sent, because not all processes are busy after that. A ratio is computed per round and shown as its median
(least to greatest).

${markdownTable(['endpoint', 'one process, images/s', 'several, images/s', 'several / one'], rows)}`;
  const goal = 'throughput of several processes / one process on the same cores (lowest endpoint)';
  return { text, goals: [[goal, 'at least 0.9', Math.min(...ratios).toFixed(3)]] };
}

function rateOf({ saturated }: ServedResult): number {
  return saturated.operations / saturated.seconds;
}
