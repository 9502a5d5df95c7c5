import { join } from 'node:path';
import { EmbeddedPostgres } from '@sightline/embedded-postgres/embedded-postgres';
import { createLogger } from '@sightline/platform/logging/logger';
import { openPostgres } from '@sightline/postgres/open-postgres';
import { seededRandom } from '../../support/fixtures/seeded-random.ts';
import { untilHealthSays } from '../../support/services/until-health-says.ts';
import type { Bench, Measured } from '../bench.ts';
import { grouped, megabytes } from '../cells.ts';
import { markdownTable } from '../markdown-table.ts';
import { MemoryWatch, residentMemory } from '../memory-watch.ts';
import { median, percentile, timed } from '../statistics.ts';
import { startPlanted } from './planted-folder.ts';
import {
  COUNTS,
  DEEP_LISTS,
  FIRST_PAGES,
  IMAGE_PAGES,
  IMAGE_SORTS,
  type LibraryRead,
  RECORDS,
  SEARCHES,
  WHOLE_LISTS,
} from './library-reads.ts';
import { type LibraryRequest, LibraryService } from './library-service.ts';
import { type Change, measureChanges } from './measure-changes.ts';
import { librarySize, NAMES_ENVIRONMENT, plantLibrary } from './plant-library.ts';

/** A measured read. Times are in milliseconds. */
interface Read extends Pick<LibraryRead, 'endpoint' | 'variant' | 'sort'> {
  readonly p50: number;
  readonly p95: number;
}

interface DeepRead extends Read {
  /** The least and the greatest number of items before the measured pages. */
  readonly depth: readonly [number, number];
  /** The median of the deep pages, divided by that of first pages of the same list. */
  readonly ratio: number;
}

interface WholeRead {
  readonly endpoint: string;
  readonly seconds: number;
  /** The bytes of the answer, and the peak growth of the service's resident memory. */
  readonly bytes: number;
  readonly memory: number;
}

const REQUESTS = 60;
/** The least number of requests to a slow endpoint, whose measurement ends after the time limit. */
const LEAST_REQUESTS = 5;
const LIMIT_MS = 6_000;
const WARM_UP = 3;
/** The most pages that are followed to get deep cursors. */
const PAGES = 300;
const PAGE = 200;
const MEMORY_EVERY_MS = 50;
const PAGE_MS = 50;

/** Measures reads and changes in a large library. */
export async function measureLibrary({ scale, madeBy }: Bench): Promise<Measured> {
  await using running = await startPlanted({
    name: 'bench-library',
    scale,
    files: ['names.ts', 'plant-library.ts', '../../support/fixtures/seeded-random.ts'].map((file) =>
      join(import.meta.dirname, file),
    ),
    plant: plantLibrary,
  });
  await untilHealthSays(running, 'ok');
  const names = { environment: NAMES_ENVIRONMENT, right: 'read' } as const;
  const { key: namesKey } = await running.createKey(names);
  const size = librarySize(scale);
  const service = new LibraryService(running, size, { namesKey, random: seededRandom(1) });
  const measure = (reads: readonly LibraryRead[]) => measureReads(service, reads);
  const whole: WholeRead[] = [];
  // The whole lists come first, because their figure is growth of memory, and the memory of a process that
  // has worked for long grows less.
  for (const endpoint of WHOLE_LISTS) whole.push(await measureWhole(service, endpoint));
  const [firstPages, imagePages] = [await measure(FIRST_PAGES), await measure(IMAGE_PAGES)];
  const deep: DeepRead[] = [];
  for (const [endpoint, path] of DEEP_LISTS) {
    deep.push(...(await measureDeep(service, endpoint, path)));
  }
  const [searches, counts, records] = [
    await measure(SEARCHES),
    await measure(COUNTS),
    await measure(RECORDS),
  ];
  const changes = await measureChanges(service);
  // The check comes last, because it also shows whether the changes have left consistent rows.
  const check = await measureCheck(running.data);
  const text = `## A large library

${madeBy}

Milliseconds of one request at a time over HTTP, until the whole answer is there, with new random subjects for each
request. The service is one process with its database; the client runs on the same machine. The environment has
${grouped(size.detections)} detections in ${grouped(size.images)} images, ${grouped(size.identities)} identities with ${grouped(size.references)} references, and a tenth of its faces to
review; searches by name are made in another one of ${grouped(size.names)} names, and ${grouped(size.smallEnvironments)} small ones stand beside them.

${markdownTable(
  ['measure', 'aim', 'here'],
  [
    [
      'first page of a list, slowest p95',
      `at most ${PAGE_MS} ms`,
      slowest([...firstPages, ...imagePages]),
    ],
    ['page deep inside / first page, greatest', 'at most 1.5', deepest(deep)],
    ['counts and statistics, slowest p95', `at most ${PAGE_MS} ms`, slowest(counts)],
    ['search by name, slowest p95', `at most ${PAGE_MS} ms`, slowest(searches)],
    ['all identities, streamed', 'at most 5 s and 100 MB', wholeCell(whole[0]!)],
    ['all identities with counts, streamed', 'at most 5 s and 100 MB', wholeCell(whole[1]!)],
    ...summaryOf(changes),
    ['check of all rows, after all that', '', check],
  ],
)}

First pages, 50 items each:

${readTable(firstPages, `p95 at most ${PAGE_MS}`)}

First pages of \`/api/images\`, by filter and order, p95:

${imageTable(imagePages)}

Pages deep inside, 50 items each, and how their median compares with that of first pages:

${markdownTable(
  ['list', 'items before', 'p50', 'p95', 'deep / first'],
  deep.map(({ depth, p50, p95, ratio, ...read }) => [
    nameOf(read),
    depth.map(grouped).join(' to '),
    p50.toFixed(1),
    p95.toFixed(1),
    ratio.toFixed(2),
  ]),
)}

Searches, counts and records:

${readTable([...searches, ...counts, ...records], 'p95')}

Lists as a whole, streamed:

${markdownTable(
  ['list', 'seconds', 'answer', 'memory of the process grows by'],
  whole.map(({ endpoint, seconds, bytes, memory }) => [
    `\`${endpoint}\``,
    seconds.toFixed(2),
    `${(bytes / 1e6).toFixed(1)} MB`,
    `${megabytes(memory)} MB`,
  ]),
)}

Changes; meanwhile another client names faces and enrolls people, one request after the other:

${markdownTable(
  ['change', 'p50', 'p95', 'longest wait of the other client'],
  changes.map(({ change, times, longestWait }) => [
    change,
    median(times).toFixed(1),
    times.length > 1 ? percentile(times, 0.95).toFixed(1) : '',
    longestWait?.toFixed(0) ?? '',
  ]),
)}`;
  return { text };
}

async function measureReads(
  service: LibraryService,
  reads: readonly LibraryRead[],
): Promise<Read[]> {
  const figures: Read[] = [];
  for (const { request, ...read } of reads) {
    const times = await timeAll(service, () => request(service));
    figures.push(announced({ ...read, ...quantiles(times) }));
  }
  return figures;
}

async function timeAll(service: LibraryService, next: () => LibraryRequest): Promise<number[]> {
  const milliseconds: number[] = [];
  const until = performance.now() + LIMIT_MS;
  for (let i = -WARM_UP; i < REQUESTS; i++) {
    if (i >= LEAST_REQUESTS && performance.now() > until) break;
    const time = await service.time(next());
    if (i >= 0) milliseconds.push(time);
  }
  return milliseconds;
}

interface Page {
  readonly next_cursor: string | null;
}

/** Measures the pages behind the middle of a list. The result is empty if the list has a single page. */
async function measureDeep(
  service: LibraryService,
  endpoint: string,
  path: string,
): Promise<readonly DeepRead[]> {
  const at = (parameters: string) => ({
    path: path + (path.includes('?') ? '&' : '?') + parameters,
  });
  const cursors: string[] = [];
  for (let cursor: string | null = null; cursors.length < PAGES;) {
    const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page = await service.ask<Page>(at(`limit=${PAGE}${after}`));
    cursor = page.next_cursor;
    if (cursor === null) break;
    cursors.push(cursor);
  }
  const from = Math.floor(cursors.length / 2);
  const deep = cursors.slice(from);
  if (deep.length === 0) return [];
  let next = 0;
  const first = await timeAll(service, () => at('limit=50'));
  const times = await timeAll(service, () =>
    at(`limit=50&cursor=${encodeURIComponent(deep[next++ % deep.length]!)}`),
  );
  const variant = path.split('?')[1] ?? '';
  const depth = [(from + 1) * PAGE, cursors.length * PAGE] as const;
  const ratio = median(times) / median(first);
  return [announced({ endpoint, variant, ...quantiles(times), depth, ratio })];
}

function quantiles(times: readonly number[]) {
  return { p50: median(times), p95: percentile(times, 0.95) };
}

async function measureWhole(service: LibraryService, endpoint: string): Promise<WholeRead> {
  const before = await residentMemory(service.metricsUrl);
  await using watch = new MemoryWatch(service.metricsUrl, MEMORY_EVERY_MS);
  let bytes = 0;
  const milliseconds = await timed(async () => {
    bytes = (await service.text({ path: endpoint })).length;
  });
  const memory = Math.max(0, watch.takePeak() - before);
  return announced({ endpoint, seconds: milliseconds / 1000, bytes, memory });
}

/**
 * Compares all rows with each other, as `sightline check` does while a service runs. It leaves out files,
 * because planted rows have none.
 *
 * @returns the cell of its time and memory
 * @throws Error if rows contradict each other
 */
async function measureCheck(data: string): Promise<string> {
  await using server = await EmbeddedPostgres.attach({ folder: join(data, 'postgres') });
  await using stores = openPostgres(server.connection, {
    logger: createLogger({ level: 'warn' }),
    reader: { kind: 'own', name: 'check' },
  });
  const before = process.memoryUsage().rss;
  let findings: readonly string[] = [];
  const milliseconds = await timed(async () => {
    findings = await stores.maintenance.contradictions();
  });
  if (findings.length > 0) throw new Error(findings.slice(0, 10).join('\n'));
  const memory = megabytes(process.memoryUsage().rss - before);
  return `${(milliseconds / 1000).toFixed(1)} s and ${memory} MB`;
}

function announced<T>(figures: T): T {
  console.error(JSON.stringify(figures));
  return figures;
}

function slowest(reads: readonly Read[]): string {
  const [read] = reads.toSorted((a, b) => b.p95 - a.p95);
  const sort = read!.sort === undefined ? '' : `, ${read!.sort}`;
  return `${read!.p95.toFixed(1)} ms (${nameOf(read!)}${sort})`;
}

/** The worst deep list; `none` if the library is so small that each list has one page. */
function deepest(pages: readonly DeepRead[]): string {
  const [worst] = pages.toSorted((a, b) => b.ratio - a.ratio);
  return worst === undefined ? 'none' : `${worst.ratio.toFixed(2)} (${nameOf(worst)})`;
}

function wholeCell({ seconds, memory }: WholeRead): string {
  return `${seconds.toFixed(1)} s and ${megabytes(memory)} MB`;
}

function summaryOf(changes: readonly Change[]): string[][] {
  const slowestOf = (name: RegExp) =>
    Math.max(...changes.flatMap(({ change, times }) => (name.test(change) ? [median(times)] : [])));
  const seconds = (name: RegExp) => `${(slowestOf(name) / 1000).toFixed(1)} s`;
  const wait = Math.max(...changes.map(({ longestWait }) => longestWait ?? 0));
  return [
    ['one action on a face, slowest p50', 'at most 15 ms', `${slowestOf(/ one /).toFixed(1)} ms`],
    ['1,000 faces in bulk', 'at most 5 s', seconds(/ bulk$/)],
    ['merge of 20,000 detections', 'at most 10 s', seconds(/^merge/)],
    ['delete of 20,000 detections', 'at most 10 s', seconds(/^delete/)],
    ['longest wait of another writer meanwhile', 'at most 1 s', `${(wait / 1000).toFixed(2)} s`],
  ];
}

function readTable(reads: readonly Read[], p95Heading: string): string {
  return markdownTable(
    ['request', 'p50', p95Heading],
    reads.map((read) => [nameOf(read), read.p50.toFixed(1), read.p95.toFixed(1)]),
  );
}

function imageTable(reads: readonly Read[]): string {
  const variants = [...new Set(reads.map(({ variant }) => variant))];
  const cell = (variant: string, sort: string) =>
    reads.find((read) => read.variant === variant && read.sort === sort)!.p95.toFixed(1);
  return markdownTable(
    ['filter', ...IMAGE_SORTS],
    variants.map((variant) => [variant, ...IMAGE_SORTS.map((sort) => cell(variant, sort))]),
  );
}

function nameOf({ endpoint, variant }: Pick<Read, 'endpoint' | 'variant'>): string {
  return variant === '' ? `\`${endpoint}\`` : `\`${endpoint}\`, ${variant}`;
}
