import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import TestRunner from 'jest-runner';

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * Suites in which a process is hung or slow until its callers give up: beside suites that keep all
 * cores busy, callers would give up processes that are only busy. Beside each other they wait most of
 * the time. The suites that only kill a process or fill a disk need no such care.
 */
const QUIET = /\/test\/faults\/(?!kill|disk-full)/;

/** Suites of whole processes, which take longest: the last ones to start should end soon. */
const LONG = /\/test\/(faults|acceptance)\//;

/** The import of a suite that needs one of the tools that are built for the tests: MinIO or Kafka. */
const NEEDS_TOOLS =
  /support\/(servers\/(minio|kafka-process|choose-kafka)|services\/(compositions|running-platform))/;

/**
 * Runs test files side by side: those of whole processes first, and those that need a quiet machine
 * last. While the tools are being built, the files that need them wait for that.
 */
export default class OrderedRunner extends TestRunner {
  async runTests(tests, watcher, options) {
    const run = (selected) =>
      selected.length === 0 ? undefined : super.runTests(selected, watcher, options);
    const quiet = tests.filter(({ path }) => QUIET.test(path));
    const others = tests.filter(({ path }) => !QUIET.test(path)).toSorted(longFirst);
    const waiting = existsSync(resolve(ROOT, '.cache/tools/minio')) ? [] : tests.filter(needsTools);
    const tools = waiting.length === 0 ? undefined : buildTools();
    // Whether it succeeded is looked at when it matters.
    tools?.catch(() => undefined);
    await run(others.filter((test) => !waiting.includes(test)));
    await tools;
    await run(others.filter((test) => waiting.includes(test)));
    await run(quiet);
  }
}

function longFirst(one, other) {
  return Number(LONG.test(other.path)) - Number(LONG.test(one.path));
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
