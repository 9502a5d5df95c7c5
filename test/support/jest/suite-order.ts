import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A suite, by its path relative to the root of the project. */
export interface Suite {
  readonly path: string;
}

/**
 * Suites that a run with a time limit may leave out. They run after all others, and each commit has another order of them,
 * so that a series of short runs has all of them.
 */
export const DEFERRED: readonly (readonly [suites: RegExp, reason: string])[] = [
  [
    /^test\/faults\/(?!kill\.test\.ts$)/,
    'They start many processes. kill.test.ts has a death of each kind.',
  ],
  [/^test\/acceptance\/fuzz\//, 'They send random requests, with varying seeds in soaks.'],
  [
    /^test\/acceptance\/random-curation\.test\.ts$/,
    'It makes random decisions, whose rules have suites of their own.',
  ],
  [/^test\/acceptance\/demo\.test\.ts$/, 'It runs commands of the README in whole.'],
  [/^test\/(acceptance|quality)\/lfw\.test\.ts$/, 'They recognize many photos.'],
  [/^test\/acceptance\/(memory|index-without-service)\.test\.ts$/, 'They are long series.'],
  [
    /^test\/integration\/stores\/(large-library|skewed-tenants)\.test\.ts$/,
    'They plant many rows and read the plans of statements.',
  ],
  [
    /^test\/integration\/similarity\/(two-followers|interrupted-turns|long-changes|changes-between-pages)\.test\.ts$/,
    'They repeat the follower in many interleavings. turns.test.ts has its rules.',
  ],
  [
    /^packages\/engine\/src\/image\/hostile-images\.test\.ts$/,
    'It decodes hundreds of broken files, of which each decoder has some.',
  ],
];

/**
 * Suites in which a process is hung or slow until its callers give up: beside suites that keep all cores busy, callers
 * would give up processes that are only busy. Beside each other they wait most of the time. The suites that only kill a
 * process or fill a disk need no such care.
 */
const QUIET = /^test\/faults\/(?!kill|disk-full)/;

/** The source of suites that share a platform, which several processes serve. */
const ON_PLATFORM = /support\/services\/compositions|sharedService\('platform/;

/** A part of a run, whose suites run side by side. */
export interface Phase {
  readonly name: 'any' | 'platform' | 'deferred' | 'quiet';
  readonly suites: readonly Suite[];
}

export function isDeferred(path: string): boolean {
  return DEFERRED.some(([suites]) => suites.test(path));
}

/**
 * Divides the suites of a run into phases. Those that share a platform run together, so that it does not run all the time.
 * The deferred suites and those that need a quiet machine come last, first the phase with the first suite of this commit.
 *
 * @param commit the commit under test, which decides about the order of deferred suites
 * @param read returns the source of a suite
 */
export function orderSuites<T extends Suite>(
  suites: readonly T[],
  commit: string,
  read: (suite: T) => string,
): readonly (Phase & { readonly suites: readonly T[] })[] {
  const phaseOf = (suite: T): Phase['name'] => {
    if (QUIET.test(suite.path)) return 'quiet';
    if (isDeferred(suite.path)) return 'deferred';
    return ON_PLATFORM.test(read(suite)) ? 'platform' : 'any';
  };
  const { any = [], platform = [], deferred = [], quiet = [] } = Object.groupBy(suites, phaseOf);
  const last = [
    { name: 'deferred' as const, suites: shuffled(deferred, commit) },
    { name: 'quiet' as const, suites: shuffled(quiet, commit) },
  ].toSorted((one, other) =>
    placeOf(one.suites[0], commit).localeCompare(placeOf(other.suites[0], commit)),
  );
  return [
    { name: 'any' as const, suites: longestFirst(any) },
    { name: 'platform' as const, suites: longestFirst(platform) },
    ...last,
  ].filter((phase) => phase.suites.length > 0);
}

/** The suites in an order that depends on the commit. */
function shuffled<T extends Suite>(suites: readonly T[], commit: string): readonly T[] {
  return suites.toSorted((one, other) =>
    placeOf(one, commit).localeCompare(placeOf(other, commit)),
  );
}

function placeOf(suite: Suite | undefined, commit: string): string {
  if (suite === undefined) return '';
  return createHash('sha256').update(`${commit} ${suite.path}`).digest('hex');
}

/** A suite that starts last should end soon, so that no worker waits for it. Unlisted suites are short. */
function longestFirst<T extends Suite>(suites: readonly T[]): readonly T[] {
  const seconds = suiteSeconds();
  const secondsOf = ({ path }: Suite) => seconds.get(path) ?? 0;
  return suites.toSorted((one, other) => secondsOf(other) - secondsOf(one));
}

/** The wall-clock seconds of the longest suites in some earlier run, by path. */
export function suiteSeconds(): ReadonlyMap<string, number> {
  const lines = readFileSync(resolve(import.meta.dirname, 'suite-seconds.txt'), 'utf8').trim();
  return new Map(
    lines.split('\n').map((line) => {
      const [seconds, path] = line.trim().split(/\s+/);
      return [path!, Number(seconds)];
    }),
  );
}
