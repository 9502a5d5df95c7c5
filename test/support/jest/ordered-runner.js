import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import TestRunner from 'jest-runner';
import { leaveOut } from './left-out.js';
import { endPlatforms } from './test-run.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * Suites in which a process is hung or slow until its callers give up: beside suites that keep all
 * cores busy, callers would give up processes that are only busy. Beside each other they wait most of
 * the time. The suites that only kill a process or fill a disk need no such care.
 */
const QUIET = /\/test\/faults\/(?!kill|disk-full)/;

/** Suites of whole processes, which take longest: they come last, and a run that has a time limit may leave some out. */
const LONG = /\/test\/(faults|acceptance)\//;

/** Suites that share a platform, which several processes serve. */
const ON_PLATFORM = /support\/services\/compositions|sharedService\('platform/;

/** The import of a suite that needs one of the tools that are built for the tests: MinIO or Kafka. */
const NEEDS_TOOLS =
  /support\/(servers\/(minio|kafka-process|choose-kafka)|services\/(compositions|running-platform))/;

/** The time after which no long suite begins, in seconds since 1970; undefined without a limit. */
const UNTIL = process.env.SIGHTLINE_TEST_UNTIL;
const DAY_MS = 86_400_000;

/**
 * Runs test files side by side: those of whole processes last, and those that need a quiet machine after them. Those that
 * share a platform run together, so that it does not run all the time. While the tools are being built, the files that
 * need them wait for that.
 */
export default class OrderedRunner extends TestRunner {
  #begun = new Set();

  constructor(...given) {
    super(...given);
    super.on('test-file-start', ([test]) => void this.#begun.add(test));
  }

  async runTests(tests, watcher, options) {
    const run = (selected, watching = watcher) =>
      selected.length === 0 ? undefined : super.runTests(selected, watching, options);
    const { quiet = [], platform = [], long = [], any = [] } = Object.groupBy(tests, phaseOf);
    const isWaiting = existsSync(resolve(ROOT, '.cache/tools/minio')) ? () => false : needsTools;
    const { true: waiting = [], false: others = [] } = Object.groupBy(any, isWaiting);
    const tools = tests.some(isWaiting) ? buildTools() : undefined;
    // Whether it succeeded is looked at when it matters.
    tools?.catch(() => undefined);
    await run(others);
    await tools;
    await run(waiting);
    await run(platform);
    if (platform.length > 0) await endPlatforms();
    const untilLate = endingAt(UNTIL, watcher);
    await run(turned(long), untilLate);
    await run(quiet, untilLate);
    if (!watcher.isInterrupted()) leaveOut(tests.filter((test) => !this.#begun.has(test)));
  }

  /** Suites that are left out have not failed. */
  on(name, listener) {
    if (name !== 'test-file-failure') return super.on(name, listener);
    return super.on(name, (failure) =>
      this.#begun.has(failure[0]) ? listener(failure) : undefined,
    );
  }
}

function phaseOf({ path }) {
  if (QUIET.test(path)) return 'quiet';
  if (ON_PLATFORM.test(readFileSync(path, 'utf8'))) return 'platform';
  return LONG.test(path) ? 'long' : 'any';
}

/** The suites, which begin with another one each day, so that not always the same ones are left out. */
function turned(tests) {
  const first = Math.floor(Date.now() / DAY_MS) % Math.max(1, tests.length);
  return [...tests.slice(first), ...tests.slice(0, first)];
}

/** A watcher that also interrupts the run at this time, before the next suite. */
function endingAt(seconds, watcher) {
  const isLate = () => seconds !== undefined && Date.now() > Number(seconds) * 1000;
  return {
    isInterrupted: () => watcher.isInterrupted() || isLate(),
    on: (...listener) => watcher.on(...listener),
  };
}

function needsTools({ path }) {
  return NEEDS_TOOLS.test(readFileSync(path, 'utf8'));
}

/** Settles when they are there, or when it is clear that they will not be. */
async function buildTools() {
  const child = spawn(resolve(ROOT, 'scripts/install-tools'), { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('The tools could not be built.');
}
