import { untilHealthSays } from '../../support/services/until-health-says.ts';
import { MemoryWatch, residentMemory } from '../memory-watch.ts';
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
import { measureCheck } from './measure-check.ts';
import { measureChanges } from './measure-changes.ts';
import { NAMES_ENVIRONMENT } from './plant-library.ts';
import { seededRandom } from './seeded-random.ts';

interface Times {
  readonly p50: number;
  readonly p95: number;
}

export interface ReadFigures extends Pick<LibraryRead, 'endpoint' | 'variant' | 'sort'> {
  readonly times: Times;
}

export interface DeepFigures extends ReadFigures {
  /** The least and the greatest number of items that precede the measured pages. */
  readonly depth: readonly [number, number];
  /** The median of the deep pages, divided by that of first pages of the same list. */
  readonly ratio: number;
}

export interface WholeFigures {
  readonly endpoint: string;
  readonly seconds: number;
  readonly megabytes: number;
  /** The peak growth of the service's resident memory while it answered. */
  readonly memoryMegabytes: number;
}

export type LibraryFigures = Awaited<ReturnType<typeof measureLibrary>>;

const REQUESTS = 60;
/** The least number of requests to a slow endpoint, whose measurement ends after the time limit. */
const LEAST_REQUESTS = 5;
const LIMIT_MS = 6_000;
const WARM_UP = 3;
/** The most pages that are followed to get deep cursors. */
const PAGES = 300;
const PAGE = 200;
const MEGABYTE = 1e6;
const MEMORY_EVERY_MS = 50;

/**
 * Measures reads and changes in a large library.
 *
 * @param scale 1 for a million detections
 */
export async function measureLibrary(scale: number) {
  await using running = await startLibrary(scale);
  const service = new LibraryService(running);
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
  // The whole lists come first, because their figure is growth of memory, and the memory of a process that
  // has worked for long grows less.
  for (const endpoint of WHOLE_LISTS) wholeLists.push(await measureWhole(service, endpoint));
  const firstPages = await measure(FIRST_PAGES);
  const imagePages = await measure(IMAGE_PAGES);
  const deepPages: DeepFigures[] = [];
  for (const [endpoint, path] of DEEP_LISTS) {
    deepPages.push(...(await measureDeep(service, endpoint, path)));
  }
  const searches = await measure(SEARCHES);
  const counts = await measure(COUNTS);
  const records = await measure(RECORDS);
  const mismatches = await measureRead(service, MISMATCHES, subjects);
  const changes = await measureChanges(service, subjects);
  // The check comes last, because it also shows whether the changes have left consistent rows.
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
  { endpoint, requests, ...names }: LibraryRead,
  subjects: LibrarySubjects,
): Promise<ReadFigures> {
  const milliseconds = await timeAll(service, () => requests(subjects));
  const times = timesOf(milliseconds);
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

/** Measures the pages behind the middle of a list. The result is empty if the list has a single page. */
async function measureDeep(
  service: LibraryService,
  endpoint: string,
  path: string,
): Promise<readonly DeepFigures[]> {
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
  const milliseconds = await timeAll(service, () =>
    at(`limit=50&cursor=${encodeURIComponent(deep[next++ % deep.length]!)}`),
  );
  const times = timesOf(milliseconds);
  const ratio = times.p50 / median(first);
  announce(path, 'deep', { ...times, ratio });
  return [
    {
      endpoint,
      variant: path.slice(path.indexOf('?') + 1 || path.length),
      times,
      depth: [(from + 1) * PAGE, cursors.length * PAGE],
      ratio,
    },
  ];
}

function timesOf(milliseconds: readonly number[]): Times {
  return { p50: median(milliseconds), p95: percentile(milliseconds, 0.95) };
}

async function measureWhole(service: LibraryService, endpoint: string): Promise<WholeFigures> {
  const before = await residentMemory(service.metricsUrl);
  await using memory = new MemoryWatch(service.metricsUrl, MEMORY_EVERY_MS);
  const start = performance.now();
  const { length } = await service.text({ path: endpoint });
  const seconds = (performance.now() - start) / 1000;
  const growth = Math.max(0, memory.takePeak() - before);
  const figures = {
    seconds,
    megabytes: length / MEGABYTE,
    memoryMegabytes: growth / MEGABYTE,
  };
  announce(endpoint, 'whole', figures);
  return { endpoint, ...figures };
}

function announce(endpoint: string, variant: string, figures: object): void {
  const shown = Object.entries(figures).map(
    ([name, value]) => `${name} ${Number(value).toFixed(2)}`,
  );
  console.error(`${endpoint} (${variant}): ${shown.join(', ')}`);
}
