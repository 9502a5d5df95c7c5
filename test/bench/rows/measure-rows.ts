import { join } from 'node:path';
import { EmbeddedPostgres } from '@sightline/embedded-postgres/embedded-postgres';
import { createLogger } from '@sightline/platform/logging/logger';
import { openPostgres } from '@sightline/postgres/open-postgres';
import pg from 'pg';
import type { RunningStandalone } from '../../support/services/running-standalone.ts';
import { untilHealthSays } from '../../support/services/until-health-says.ts';
import type { Bench, Measured } from '../bench.ts';
import { grouped } from '../cells.ts';
import { startPlanted } from '../library/planted-folder.ts';
import { markdownTable } from '../markdown-table.ts';
import { median, timed } from '../statistics.ts';
import { plantRows, rowsSize, type RowsSize, specialIdentities } from './plant-rows.ts';

const REQUESTS = 20;
const BATCH = 1_000;
const EVENTS = 20_000;
const LISTS = [
  '/api/images?limit=50',
  '/api/images?limit=50&sort=most_detections',
  '/api/images?limit=50&no_tagged_faces=true',
  '/api/review?limit=50',
  '/api/identities/summary?limit=50',
];

/** A row of the table: the measure, its aim, and the figure. */
type Row = readonly [measure: string, aim: string, here: string];

/** Measures requests about identities with very many rows, beside many idle environments. */
export async function measureRows({ scale, madeBy }: Bench): Promise<Measured> {
  const size = rowsSize(scale);
  await using running = await startPlanted({
    name: 'bench-rows',
    scale,
    files: [join(import.meta.dirname, 'plant-rows.ts')],
    plant: plantRows,
  });
  await untilHealthSays(running, 'ok');
  const rows: Row[] = [];
  const add = (...added: readonly Row[]) => {
    for (const row of added) console.error(row.join(' | '));
    rows.push(...added);
  };
  add(await measureSweep(running, size));
  add(...(await measureReads(running, size)));
  add(...(await measureBatches(running, size)));
  // The deletion comes last, because it removes the rows that the others read.
  add(...(await measureDeletion(running, size)));
  const text = `## Identities with many rows

${madeBy}

One environment has ${grouped(size.images)} images with two faces each and ${grouped(size.people)} people. One identity has ${grouped(size.everywhere)} faces, ${grouped(size.references)} of
them references; ${grouped(size.unconfirmed)} faces of another one are unconfirmed, and ${grouped(size.rejected)} were rejected from a third one. ${grouped(size.environments)}
environments are idle. The load beside batches and the deletion is one client that creates identities, one request
after the other.

${markdownTable(['measure', 'aim', 'here'], rows)}`;
  return { text };
}

async function measureSweep({ data }: RunningStandalone, { environments }: RowsSize): Promise<Row> {
  await using server = await EmbeddedPostgres.attach({ folder: join(data, 'postgres') });
  await using stores = openPostgres(server.connection, {
    logger: createLogger({ level: 'warn' }),
    reader: { kind: 'own', name: 'bench' },
  });
  const owner = new pg.Client(server.connection);
  await owner.connect();
  try {
    await owner.query(
      `INSERT INTO outbox (environment_id, event, version, data)
       SELECT 1 + n % 3, 'identity.deleted', 1, '{"identity_id": 1}' FROM generate_series(1, $1::int) AS n`,
      [EVENTS],
    );
    const times: number[] = [];
    for (let i = 0; i < REQUESTS; i++) {
      times.push(await timed(() => stores.consumers.behind('feed', 0)));
    }
    return [
      `search for ${grouped(EVENTS)} events beside ${grouped(environments)} environments, slowest`,
      'at most 100 ms',
      milliseconds(Math.max(...times)),
    ];
  } finally {
    await owner.end();
  }
}

async function measureReads(service: RunningStandalone, size: RowsSize): Promise<readonly Row[]> {
  const special = specialIdentities(size);
  const rejected = `/api/identities/${special.rejected}/rejected`;
  const both = `/api/images?limit=50&identity_id=${special.everywhere}&identity_id=${special.unconfirmed}`;
  const pages = async (path: string) => {
    const times: number[] = [];
    for (let i = 0; i < REQUESTS; i++) times.push(await timed(() => ask(service, path)));
    return milliseconds(median(times));
  };
  const whole = async (path: string) => seconds(await timed(() => ask(service, path)));
  return [
    ['page of 50 rejected faces', 'at most 50 ms', await pages(`${rejected}?limit=50`)],
    [`all ${grouped(size.rejected)} rejected faces, streamed`, 'linear', await whole(rejected)],
    ['images of two identities without a common one', 'at most 300 ms', await pages(both)],
    [
      `summary of all ${grouped(size.people)} identities`,
      'at most 2 s',
      await whole('/api/identities/summary'),
    ],
  ];
}

async function measureBatches(service: RunningStandalone, size: RowsSize): Promise<readonly Row[]> {
  const { everywhere, unconfirmed } = size;
  // The second faces of the images of the first identities wait for review.
  const open = (from: number, count: number) =>
    Array.from(
      { length: Math.min(count, everywhere + unconfirmed - from) },
      (_, i) => 2 * (from + i) + 1,
    );
  const label = {
    items: open(0, BATCH).map((id, i) => ({ detection_id: id, label: `New ${i % 50}` })),
  };
  const review = { detection_ids: open(BATCH, BATCH), action: 'confirm', identity_id: 1 };
  const rows: Row[] = [];
  for (const [name, path, body] of [
    ['labels', '/api/detections/label', label],
    ['reviews', '/api/review/bulk', review],
  ] as const) {
    const { time } = await besideWriter(service, () =>
      ask(service, path, { method: 'POST', body }),
    );
    rows.push([
      `${grouped(BATCH)} ${name} in one request, beside a writer`,
      'at most 5 s',
      seconds(time),
    ]);
  }
  return rows;
}

async function measureDeletion(
  service: RunningStandalone,
  size: RowsSize,
): Promise<readonly Row[]> {
  const path = `/api/identities/${specialIdentities(size).everywhere}`;
  let left = REQUESTS;
  const before = await timeLists(service, () => --left > 0);
  const during: Promise<readonly number[][]>[] = [];
  let isOver = false;
  const { time, longestWait } = await besideWriter(service, async () => {
    during.push(timeLists(service, () => !isOver));
    await ask(service, path, { method: 'DELETE' }).finally(() => (isOver = true));
  });
  const beside = (await during[0])!;
  const ratio = Math.max(...LISTS.map((_, i) => of(beside, i) / of(before, i)));
  return [
    [`deletion of an identity with ${grouped(size.everywhere)} faces`, '', seconds(time)],
    ['longest wait of a writer during the deletion', 'at most 0.5 s', seconds(longestWait)],
    ['lists during the deletion / before, slowest', 'at most 2', ratio.toFixed(2)],
  ];
}

function of(rounds: readonly number[][], list: number): number {
  return median(rounds.map((times) => times[list]!));
}

/** Times each list once per round. */
async function timeLists(service: RunningStandalone, goesOn: () => boolean): Promise<number[][]> {
  const rounds: number[][] = [];
  do {
    const times: number[] = [];
    for (const path of LISTS) times.push(await timed(() => ask(service, path)));
    rounds.push(times);
  } while (goesOn());
  return rounds;
}

/** Times work while another client creates identities. */
async function besideWriter(
  service: RunningStandalone,
  work: () => Promise<unknown>,
): Promise<{ readonly time: number; readonly longestWait: number }> {
  const over = new AbortController();
  let longestWait = 0;
  const writing = (async () => {
    for (let i = 0; !over.signal.aborted; i++) {
      const body = { label: `Newcomer ${performance.now()} ${i}`, type: 'face' };
      const wait = await timed(() => ask(service, '/api/identities', { method: 'POST', body }));
      longestWait = Math.max(longestWait, wait);
    }
  })();
  const time = await timed(work).finally(() => over.abort());
  await writing;
  return { time, longestWait };
}

/** @throws Error with the answer unless it is a success */
async function ask(
  { fetch }: RunningStandalone,
  path: string,
  { method = 'GET', body }: { readonly method?: string; readonly body?: object } = {},
): Promise<void> {
  const response = await fetch(path, {
    method,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text}`);
}

function milliseconds(time: number): string {
  return `${time.toFixed(1)} ms`;
}

function seconds(time: number): string {
  return `${(time / 1000).toFixed(2)} s`;
}
