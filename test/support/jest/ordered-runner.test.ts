import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const PASSES = "test('passes', () => require('fs').writeFileSync(__filename + '.ran', ''));";
/** Its first test passes, and its second one never ends. */
const HANGS = `test('begins', () => undefined);
test('hangs', () => { require('fs').writeFileSync(__filename + '.ran', ''); return new Promise((done) => setTimeout(done, 600_000)); }, 600_000);`;

interface Ended {
  readonly lines: readonly string[];
  readonly code: number | null;
  /** The suites that have run. */
  readonly ran: readonly string[];
}

/** Runs Jest over made-up suites with the runner, the test runner and the reporter of this project. */
async function runSuites(
  suites: Readonly<Record<string, string>>,
  {
    endsInS,
    inBand = false,
    stopOnce,
  }: {
    /** The seconds until the end of the run. */
    readonly endsInS?: number;
    readonly inBand?: boolean;
    /** The suite after whose start, and after the end of the run, the run gets SIGTERM. */
    readonly stopOnce?: string;
  },
): Promise<Ended> {
  await using folder = await temporaryFolder();
  for (const [path, source] of Object.entries(suites)) {
    await mkdir(join(folder.path, dirname(path)), { recursive: true });
    await writeFile(join(folder.path, path), source);
  }
  const config = {
    rootDir: folder.path,
    testMatch: ['**/*.test.js'],
    transform: {},
    maxWorkers: 2,
    runner: join(import.meta.dirname, 'ordered-runner.js'),
    testRunner: join(import.meta.dirname, 'timed-circus.js'),
    reporters: [join(import.meta.dirname, 'closing-line-reporter.js')],
  };
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const { SIGHTLINE_TEST_END: _end, SIGHTLINE_TEST_SECONDS: _file, ...environment } = process.env;
  const end = endsInS === undefined ? undefined : Date.now() / 1000 + endsInS;
  const child = spawn(
    process.execPath,
    ['--no-warnings', jest, '--config', JSON.stringify(config), ...(inBand ? ['-i'] : [])],
    {
      cwd: folder.path,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...environment,
        SIGHTLINE_TEST_RUN: folder.path,
        ...(end !== undefined && { SIGHTLINE_TEST_END: String(end) }),
      },
    },
  );
  const output = text(child.stdout);
  const ran = async () =>
    (await readdir(folder.path, { recursive: true }))
      .filter((path) => path.endsWith('.ran'))
      .map((path) => path.replace('.ran', ''));
  if (stopOnce !== undefined) {
    while (!(await ran()).includes(stopOnce)) await delay(50);
    if (end !== undefined) await delay(end * 1000 - Date.now());
    // Signals of a clock reach all processes of a run.
    process.kill(-child.pid!, 'SIGTERM');
  }
  const [code] = (await once(child, 'exit')) as [number | null];
  return { lines: (await output).trim().split('\n'), code, ran: await ran() };
}

test('past the end no suite begins, and each one is counted once', async () => {
  const { lines, code, ran } = await runSuites(
    { 'a.test.js': PASSES, 'test/faults/kill-b.test.js': PASSES },
    { endsInS: -1 },
  );
  expect(ran).toEqual([]);
  expect(code).toBe(0);
  expect(lines.slice(-3)).toEqual([
    'skipped: a.test.js: no time was left',
    'skipped: test/faults/kill-b.test.js: no time was left',
    '0 passed, 0 failed, 2 skipped',
  ]);
});

test('shortly before the end the suites of the table do not begin', async () => {
  const { lines, ran } = await runSuites(
    { 'a.test.js': PASSES, 'test/faults/kill-b.test.js': PASSES },
    { endsInS: 600 },
  );
  expect(ran).toEqual(['a.test.js']);
  expect(lines.slice(-2)).toEqual([
    'skipped: test/faults/kill-b.test.js: no time was left',
    '1 passed, 0 failed, 1 skipped',
  ]);
});

test('without an end all suites run', async () => {
  const { lines } = await runSuites(
    { 'a.test.js': PASSES, 'test/faults/kill-b.test.js': PASSES },
    {},
  );
  expect(lines.at(-1)).toBe('2 passed, 0 failed, 0 skipped');
});

test('a suite that still runs when the run is stopped after its end has failed', async () => {
  const { lines, code } = await runSuites(
    { 'a.test.js': HANGS, 'test/faults/kill-b.test.js': PASSES },
    { endsInS: 20, stopOnce: 'a.test.js' },
  );
  expect(code).not.toBe(0);
  expect(lines.slice(-3)).toEqual([
    'skipped: test/faults/kill-b.test.js: no time was left',
    'failed: a.test.js: a.test.js [stopped]',
    '1 passed, 1 failed, 1 skipped',
  ]);
});

test('a suite that is stopped early is skipped, and its tests so far are counted', async () => {
  const { lines, code } = await runSuites(
    { 'a.test.js': HANGS },
    { inBand: true, stopOnce: 'a.test.js' },
  );
  expect(code).not.toBe(0);
  expect(lines.slice(-2)).toEqual([
    'skipped: a.test.js: no time was left',
    '1 passed, 0 failed, 1 skipped',
  ]);
});
