import type {
  DeepFigures,
  LibraryFigures,
  ReadFigures,
  WholeFigures,
} from './library/measure-library.ts';
import { IMAGE_SORTS } from './library/library-reads.ts';
import { librarySize } from './library/library-size.ts';
import type { ChangeFigures } from './library/measure-changes.ts';
import { grouped } from './cells.ts';
import { markdownTable as table } from './markdown-table.ts';

const PAGE_MS = 50;
const DEEP_RATIO = 1.5;

/** The times of requests in a large library, beside their goals. */
export function librarySection(figures: LibraryFigures): string {
  const { large, names, small } = librarySize(figures.scale);
  return `## A large library

Made by \`make bench ARGS="--library --write"\`.

Milliseconds of one request at a time over HTTP, until the whole answer is there, with new random subjects for each
request. The service is one process with its database; the client runs on the same machine. The environment has
${grouped(large.detections)} detections in ${grouped(large.images)} images, ${grouped(large.identities)} identities with ${grouped(large.references)} references, and a tenth of its faces to
review; searches by name are made in another one of ${grouped(names)} names, and ${grouped(small.environments)} small ones stand beside them.

${table(['measure', 'aim', 'here'], summary(figures))}

First pages, 50 items each:

${readTable(figures.firstPages, `p95 at most ${PAGE_MS}`)}

First pages of \`/api/images\`, by filter and order, p95:

${imageTable(figures.imagePages)}

Pages deep inside, 50 items each, and how their median compares with that of first pages:

${table(
  ['list', 'items before', 'p50', 'p95', 'deep / first'],
  figures.deepPages.map(({ endpoint, variant, depth, times, ratio }) => [
    nameOf(endpoint, variant),
    depth.map(grouped).join(' to '),
    times.p50.toFixed(1),
    times.p95.toFixed(1),
    ratio.toFixed(2),
  ]),
)}

Searches, counts and records:

${readTable([...figures.searches, ...figures.counts, ...figures.records, figures.mismatches], '')}

Lists as a whole, streamed:

${table(
  ['list', 'seconds', 'answer', 'memory of the process grows by'],
  figures.wholeLists.map(({ endpoint, seconds, megabytes, memoryMegabytes }) => [
    nameOf(endpoint, ''),
    seconds.toFixed(2),
    `${megabytes.toFixed(1)} MB`,
    `${memoryMegabytes.toFixed(0)} MB`,
  ]),
)}

Changes; meanwhile another client names faces and enrolls people, one request after the other:

${table(
  ['change', 'p50', 'p95', 'longest wait of the other client'],
  figures.changes.map(({ change, p50, p95, longestWait }) => [
    change,
    p50.toFixed(1),
    p95?.toFixed(1) ?? '',
    longestWait?.toFixed(0) ?? '',
  ]),
)}
`;
}

function summary(figures: LibraryFigures): string[][] {
  const { firstPages, imagePages, searches, counts, deepPages, wholeLists, changes, check } =
    figures;
  return [
    [
      'first page of a list, slowest p95',
      `at most ${PAGE_MS} ms`,
      slowest([...firstPages, ...imagePages]),
    ],
    ['page deep inside / first page, greatest', `at most ${DEEP_RATIO}`, deepest(deepPages)],
    ['counts and statistics, slowest p95', `at most ${PAGE_MS} ms`, slowest(counts)],
    ['search by name, slowest p95', `at most ${PAGE_MS} ms`, slowest(searches)],
    ['all identities, streamed', 'at most 5 s and 100 MB', whole(wholeLists, '/api/identities')],
    [
      'all identities with counts, streamed',
      'at most 5 s and 100 MB',
      whole(wholeLists, '/api/identities/summary'),
    ],
    ['one action on a face, slowest p50', 'at most 15 ms', slowestChange(changes, / one /, 1)],
    ['1,000 faces in bulk', 'at most 5 s', slowestChange(changes, / bulk$/, 1000)],
    ['merge of 20,000 detections', 'at most 10 s', slowestChange(changes, /^merge/, 1000)],
    ['delete of 20,000 detections', 'at most 10 s', slowestChange(changes, /^delete/, 1000)],
    ['longest wait of another writer meanwhile', 'at most 1 s', longestWait(changes)],
    [
      'check of all rows, after all that',
      '',
      `${check.seconds.toFixed(1)} s and ${check.memoryMegabytes.toFixed(0)} MB`,
    ],
  ];
}

function slowest(reads: readonly ReadFigures[]): string {
  const { endpoint, variant, sort, times } = reads.toSorted(
    (a, b) => b.times.p95 - a.times.p95,
  )[0]!;
  const named = sort === undefined ? variant : `${variant}, ${sort}`;
  return `${times.p95.toFixed(1)} ms (${nameOf(endpoint, named)})`;
}

/** The worst deep list; `none` if the library is so small that each list has one page. */
function deepest(pages: readonly DeepFigures[]): string {
  const worst = pages.toSorted((a, b) => b.ratio - a.ratio)[0];
  if (worst === undefined) return 'none';
  return `${worst.ratio.toFixed(2)} (${nameOf(worst.endpoint, worst.variant)})`;
}

function whole(lists: readonly WholeFigures[], wanted: string): string {
  const { seconds, memoryMegabytes } = lists.find(({ endpoint }) => endpoint === wanted)!;
  return `${seconds.toFixed(1)} s and ${memoryMegabytes.toFixed(0)} MB`;
}

/** @param per the number of milliseconds in the unit */
function slowestChange(changes: readonly ChangeFigures[], wanted: RegExp, per: 1 | 1000): string {
  const times = changes.flatMap(({ change, p50 }) => (wanted.test(change) ? [p50] : []));
  return `${(Math.max(...times) / per).toFixed(1)} ${per === 1 ? 'ms' : 's'}`;
}

function longestWait(changes: readonly ChangeFigures[]): string {
  const waits = changes.map(({ longestWait: wait }) => wait ?? 0);
  return `${(Math.max(...waits) / 1000).toFixed(2)} s`;
}

function readTable(reads: readonly ReadFigures[], aim: string): string {
  return table(
    ['request', 'p50', aim === '' ? 'p95' : aim],
    reads.map(({ endpoint, variant, times }) => [
      nameOf(endpoint, variant),
      times.p50.toFixed(1),
      times.p95.toFixed(1),
    ]),
  );
}

function imageTable(reads: readonly ReadFigures[]): string {
  const variants = [...new Set(reads.map(({ variant }) => variant))];
  const p95 = (variant: string, sort: string) =>
    reads.find((read) => read.variant === variant && read.sort === sort)!.times.p95.toFixed(1);
  return table(
    ['filter', ...IMAGE_SORTS],
    variants.map((variant) => [variant, ...IMAGE_SORTS.map((sort) => p95(variant, sort))]),
  );
}

function nameOf(endpoint: string, variant: string): string {
  return variant === '' ? `\`${endpoint}\`` : `\`${endpoint}\`, ${variant}`;
}
