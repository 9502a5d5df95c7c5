import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, type Measured, passesIn, repeat } from './bench.ts';
import { spreadCell } from './cells.ts';
import { LoadGenerator } from './load-generator.ts';
import { markdownTable } from './markdown-table.ts';
import { openFirstSides } from './sides.ts';
import { median } from './statistics.ts';
import { WORKLOADS } from './workloads.ts';

const LOOPS = 80;
/** The time in ms that the flood gets to fill the queue before anything is timed. */
const FLOOD_BEGINS_MS = 2_000;
/** The least number of timed operations, enough for a median. */
const LEAST_OPERATIONS = 5;

export async function measureFlood(bench: Bench): Promise<Measured> {
  const [subject] = await bench.subjects();
  await using sides = await openFirstSides(bench);
  const { served, service, photos } = sides;
  const { endpoint } = WORKLOADS.faces;
  const { key: apiKey } = await service.createKey({ environment: 'flood', right: 'read' });
  using flood = new LoadGenerator({ urls: [service.url], apiKey }, photos);
  const one = { workload: 'faces', concurrency: 1 } as const;
  const trial = await served.run({ ...one, operations: photos.length });
  const operations = Math.max(LEAST_OPERATIONS, photos.length * passesIn(bench, trial.seconds));
  const latency = async () => median((await served.run({ ...one, operations })).milliseconds);
  const rounds = await repeat(bench.rounds, async () => {
    const alone = await latency();
    const over = new AbortController();
    const flooding = flood.flood('faces', LOOPS, over.signal);
    await sleep(FLOOD_BEGINS_MS);
    const beside = await latency();
    over.abort();
    return { alone, beside, ratio: beside / alone, ...(await flooding) };
  });
  const all = (name: keyof (typeof rounds)[0]) => rounds.map((round) => round[name]);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const refused = `${(100 * (1 - sum(all('accepted')) / sum(all('sent')))).toFixed(0)} %`;
  const text = `## Beside a flood

Milliseconds of one request at a time of one environment, alone and while ${LOOPS} loops of another environment's key
post photos to the same endpoint and pay no heed to refusals, with ${subject!.name}. The load generator and the
flood run on the same cores. The ratio is computed per round and shown as its median (least to greatest).

${markdownTable(
  ['endpoint', 'alone', 'beside the flood', 'ratio', 'refused requests of the flood'],
  [
    [
      `\`${endpoint}\``,
      median(all('alone')).toFixed(1),
      median(all('beside')).toFixed(1),
      spreadCell(all('ratio')),
      refused,
    ],
  ],
)}`;
  const goal = 'latency of one request at a time beside the flood of another environment / alone';
  return { text, goals: [[goal, 'at most 3', median(all('ratio')).toFixed(2)]] };
}
