import { setTimeout as sleep } from 'node:timers/promises';
import { untilHealthSays } from '../../support/services/until-health-says.ts';
import { median, percentile } from '../statistics.ts';
import { startLibrary } from './library-folder.ts';
import {
  COUNTS,
  DEEP_LISTS,
  FIRST_PAGES,
  IMAGE_PAGES,
  type LibraryRead,
  type LibrarySubjects,
  MISMATCHES,
  RECORDS,
  SEARCHES,
  WHOLE_LISTS,
} from './library-reads.ts';
import { type LibraryRequest, LibraryService } from './library-service.ts';
import { librarySize } from './library-size.ts';
import { type CheckFigures, measureCheck } from './measure-check.ts';
import { type ChangeFigures, measureChanges } from './measure-changes.ts';
import { NAMES_ENVIRONMENT } from './plant-library.ts';
import { seededRandom } from './seeded-random.ts';

export interface ReadFigures {
  readonly endpoint: string;
  readonly variant: string;
  readonly sort?: string;
  /** Milliseconds; null if the service has no such endpoint. */
  readonly times: { readonly p50: number; readonly p95: number } | null;
}

export interface DeepFigures extends ReadFigures {
  /** How many items come before those pages, at least and at most. */
  readonly depth: readonly [number, number];
  /** Median of the deep pages by that of first pages of the same list. */
  readonly ratio: number;
}

export interface WholeFigures {
  readonly endpoint: string;
  /** Null if the service has no such endpoint. */
  readonly answer: {
    readonly seconds: number;
    readonly megabytes: number;
    /** By which the resident memory of the service's process grew while it answered, at most. */
    readonly memoryMegabytes: number;
  } | null;
}

export interface LibraryFigures {
  readonly scale: number;
  readonly firstPages: readonly ReadFigures[];
  readonly imagePages: readonly ReadFigures[];
  readonly searches: readonly ReadFigures[];
  readonly counts: readonly ReadFigures[];
  readonly records: readonly ReadFigures[];
  readonly mismatches: ReadFigures;
  readonly deepPages: readonly DeepFigures[];
  readonly wholeLists: readonly WholeFigures[];
  readonly changes: readonly ChangeFigures[];
  readonly check: CheckFigures;
}

const REQUESTS = 60;
/** Of what takes long; the time for one endpoint is limited. */
const LEAST_REQUESTS = 5;
const LIMIT_MS = 6_000;
const WARM_UP = 3;
/** Pages of the greatest size that are followed. */
const PAGES = 300;
const PAGE = 200;
const MEGABYTE = 1e6;
const MEMORY_EVERY_MS = 50;

/** @param scale of the library: 1 for a million detections */
export async function measureLibrary(scale: number): Promise<LibraryFigures> {
  await using running = await startLibrary(scale);
  const service = await LibraryService.of(running);
  await untilHealthSays(running, 'ok');
  const { key: namesKey } = await running.createKey({
    environment: NAMES_ENVIRONMENT,
    right: 'read',
  });
  const random = seededRandom(1);
  const { large } = librarySize(scale);
  const subjects: LibrarySubjects = {
    number: (below) => Math.floor(random() * below),
    images: large.images,
    identities: large.identities,
    detections: large.detections,
    modelId: 1,
    namesKey,
  };
  const measure = async (reads: readonly LibraryRead[]): Promise<ReadFigures[]> => {
    const figures: ReadFigures[] = [];
    for (const read of reads) figures.push(await measureRead(service, read, subjects));
    return figures;
  };
  const wholeLists: WholeFigures[] = [];
  // First: the memory of a process that has done much grows less.
  for (const endpoint of WHOLE_LISTS) wholeLists.push(await measureWhole(service, endpoint));
  const firstPages = await measure(FIRST_PAGES);
  const imagePages = await measure(IMAGE_PAGES);
  const deepPages: DeepFigures[] = [];
  for (const [endpoint, path] of DEEP_LISTS) {
    const figures = await measureDeep(service, endpoint, path);
    if (figures !== null) deepPages.push(figures);
  }
  const searches = await measure(SEARCHES);
  const counts = await measure(COUNTS);
  const records = await measure(RECORDS);
  const mismatches = await measureRead(service, MISMATCHES, subjects);
  const changes = await measureChanges(service, subjects);
  // Last: it also says whether all the changes have left rows that agree.
  const check = await measureCheck(running.data);
  if (check.findings.length > 0) throw new Error(check.findings.slice(0, 10).join('\n'));
  return {
    scale,
    firstPages,
    imagePages,
    searches,
    counts,
    records,
    mismatches,
    deepPages,
    wholeLists,
    changes,
    check,
  };
}

async function measureRead(
  service: LibraryService,
  { endpoint, requests, method = 'GET', ...names }: LibraryRead,
  subjects: LibrarySubjects,
): Promise<ReadFigures> {
  if (!service.offers(method, endpoint)) return { endpoint, ...names, times: null };
  const milliseconds = await timeAll(service, () => requests(subjects));
  const times = { p50: median(milliseconds), p95: percentile(milliseconds, 0.95) };
  announce(endpoint, Object.values(names).join(', '), times);
  return { endpoint, ...names, times };
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

/** Null if the service has no such endpoint. */
async function measureDeep(
  service: LibraryService,
  endpoint: string,
  path: string,
): Promise<DeepFigures | null> {
  if (!service.offers('GET', endpoint)) return null;
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
  if (deep.length === 0) return null;
  let next = 0;
  const first = await timeAll(service, () => at('limit=50'));
  const milliseconds = await timeAll(service, () =>
    at(`limit=50&cursor=${encodeURIComponent(deep[next++ % deep.length]!)}`),
  );
  const times = { p50: median(milliseconds), p95: percentile(milliseconds, 0.95) };
  const ratio = times.p50 / median(first);
  announce(path, 'deep', { ...times, ratio });
  return {
    endpoint,
    variant: path.slice(path.indexOf('?') + 1 || path.length),
    times,
    depth: [(from + 1) * PAGE, cursors.length * PAGE],
    ratio,
  };
}

async function measureWhole(service: LibraryService, endpoint: string): Promise<WholeFigures> {
  if (!service.offers('GET', endpoint)) return { endpoint, answer: null };
  const before = await service.memory();
  let most = before;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      most = Math.max(most, await service.memory());
      await sleep(MEMORY_EVERY_MS);
    }
  })();
  const start = performance.now();
  const { length } = await service.text({ path: endpoint });
  const seconds = (performance.now() - start) / 1000;
  over.abort();
  await watching;
  const answer = {
    seconds,
    megabytes: length / MEGABYTE,
    memoryMegabytes: (most - before) / MEGABYTE,
  };
  announce(endpoint, 'whole', answer);
  return { endpoint, answer };
}

function announce(endpoint: string, variant: string, figures: object): void {
  const shown = Object.entries(figures).map(
    ([name, value]) => `${name} ${Number(value).toFixed(2)}`,
  );
  console.error(`${endpoint} (${variant}): ${shown.join(', ')}`);
}
