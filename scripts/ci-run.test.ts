import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';

const SCRIPT = resolve(import.meta.dirname, '../.ci/run');
/** The length of a minute in ms where a target is stopped. A run of 84 minutes ends after 17 s. */
const MINUTE_MS = 200;
const PASSED = 'echo 5 passed, 0 failed, 2 skipped';

interface Ended {
  readonly lines: readonly string[];
  readonly code: number | null;
  /** The targets of make that began, in their order. */
  readonly targets: readonly string[];
}

/**
 * Runs .ci/run with a `make` whose targets are made-up commands.
 *
 * @param commands commands of Bash, by target; other targets succeed
 * @param terminateIn a target; after its start the script gets SIGTERM
 */
async function runCi(
  commands: Readonly<Record<string, string>>,
  { minuteMs = MINUTE_MS, terminateIn }: { minuteMs?: number; terminateIn?: string } = {},
): Promise<Ended> {
  await using folder = await temporaryFolder();
  const at = (...names: string[]) => join(folder.path, ...names);
  for (const name of ['clone/.ci', 'clone/test/e2e', 'bin'])
    await mkdir(at(name), { recursive: true });
  await copyFile(SCRIPT, at('clone/.ci/run'));
  for (const name of ['events', 'quickstart'])
    await writeFile(at(`clone/test/e2e/${name}.test.ts`), '');
  const cases = Object.entries(commands).map(([target, command]) => `${target}) ${command} ;;`);
  await writeFile(
    at('bin/make'),
    `#!/bin/bash\ntarget="\${@: -1}"\necho "$target" >>'${at('targets')}'\ncase "$target" in\n${cases.join('\n')}\nesac\n`,
  );
  // The clone has no repository.
  await writeFile(at('bin/git'), '#!/bin/sh\n');
  for (const name of ['make', 'git']) await chmod(at('bin', name), 0o755);
  const child = spawn('bash', [at('clone/.ci/run')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PATH: `${at('bin')}:${process.env.PATH}`,
      SIGHTLINE_CI_MINUTE_MS: String(minuteMs),
    },
  });
  const output = text(child.stdout);
  const targets = async () =>
    (await readFile(at('targets'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
  if (terminateIn !== undefined) {
    while (!(await targets()).includes(terminateIn)) await delay(50);
    child.kill('SIGTERM');
  }
  const [code] = (await once(child, 'exit')) as [number | null];
  return { lines: (await output).trim().split('\n'), code, targets: await targets() };
}

const MINUTE_OF_REAL_RUNS = { minuteMs: 60_000 };

test('a whole run takes all targets in order, and adds up their counts', async () => {
  const { lines, code, targets } = await runCi(
    { test: `echo 'skipped: nodes: no Kubernetes node'; ${PASSED}`, e2e: PASSED },
    MINUTE_OF_REAL_RUNS,
  );
  expect(code).toBe(0);
  expect(targets).toEqual(['check', 'tools', 'cluster', 'browser', 'test', 'e2e']);
  expect(lines.slice(-2)).toEqual(['whole', '10 passed, 0 failed, 4 skipped']);
});

test('only the tests get the end of the run', async () => {
  const print = (target: string) => `echo "${target} \${SIGHTLINE_TEST_END:-none}"`;
  const before = Math.floor(Date.now() / 1000);
  const { lines } = await runCi(
    { check: print('check'), test: print('test'), e2e: print('e2e') },
    MINUTE_OF_REAL_RUNS,
  );
  expect(lines).toContain('check none');
  expect(lines).toContain('e2e none');
  const end = Number(lines.find((line) => line.startsWith('test '))!.split(' ')[1]);
  expect(end - before).toBeGreaterThanOrEqual(70 * 60);
});

test.each(['check', 'tools', 'cluster', 'browser', 'test', 'e2e'])(
  'a run whose %s fails has a failure',
  async (target) => {
    const { lines, code, targets } = await runCi({ [target]: 'exit 2' }, MINUTE_OF_REAL_RUNS);
    expect(code).toBe(1);
    expect(targets.at(-1)).toBe(target);
    expect(lines.slice(-2)).toEqual(['not whole', '0 passed, 1 failed, 0 skipped']);
  },
);

test('a failed test is counted and named', async () => {
  const { lines, code } = await runCi(
    { test: 'echo failed: a.test.ts: adds; echo 5 passed, 1 failed, 0 skipped; exit 1' },
    MINUTE_OF_REAL_RUNS,
  );
  expect(code).toBe(1);
  expect(lines.slice(-4)).toEqual([
    'failed: a.test.ts: adds',
    'make test failed.',
    'not whole',
    '5 passed, 1 failed, 0 skipped',
  ]);
});

test('the nodes of e2e do not start after minute 50, and the run is not whole', async () => {
  const { lines, code, targets } = await runCi({ test: `sleep 10.1; ${PASSED}` });
  expect(code).toBe(0);
  expect(targets).not.toContain('e2e');
  expect(lines.slice(-4)).toEqual([
    'skipped: test/e2e/events.test.ts: no time was left',
    'skipped: test/e2e/quickstart.test.ts: no time was left',
    'not whole',
    '5 passed, 0 failed, 2 skipped',
  ]);
});

test('tests that still run in minute 82 are stopped and fail', async () => {
  const { lines, code, targets } = await runCi({
    test: 'trap "echo 3 passed, 1 failed, 0 skipped; exit 143" TERM; sleep 30 & wait',
  });
  expect(code).toBe(1);
  expect(targets).not.toContain('e2e');
  expect(lines.slice(-2)).toEqual(['not whole', '3 passed, 1 failed, 0 skipped']);
});

test('tests that do not end are killed in minute 84', async () => {
  const { lines, code } = await runCi({ test: "trap '' TERM; while :; do sleep 0.1; done" });
  expect(code).toBe(1);
  expect(lines.slice(-2)).toEqual(['not whole', '0 passed, 1 failed, 0 skipped']);
});

test('an e2e that still runs in minute 80 is stopped, and what it has passed is counted', async () => {
  const { lines, code } = await runCi({
    test: PASSED,
    e2e: 'echo PASS test/e2e/events.test.ts; trap "echo 4 passed, 0 failed, 1 skipped; exit 143" TERM; sleep 30 & wait',
  });
  expect(code).toBe(0);
  expect(lines.slice(-3)).toEqual([
    'skipped: test/e2e/quickstart.test.ts: no time was left',
    'not whole',
    '9 passed, 0 failed, 3 skipped',
  ]);
});

test('a test on nodes that failed before they were stopped fails the run', async () => {
  const { lines, code } = await runCi({
    e2e: 'trap "echo failed: test/e2e/events.test.ts: sends; echo 4 passed, 1 failed, 1 skipped; exit 143" TERM; sleep 30 & wait',
  });
  expect(code).toBe(1);
  expect(lines.at(-1)).toBe('4 passed, 1 failed, 1 skipped');
});

test('a run that is terminated stops its target and prints its line', async () => {
  const { lines, code } = await runCi(
    { test: 'trap "echo 3 passed, 0 failed, 0 skipped; exit 143" TERM; sleep 30 & wait' },
    { ...MINUTE_OF_REAL_RUNS, terminateIn: 'test' },
  );
  expect(code).toBe(1);
  expect(lines.slice(-3)).toEqual([
    'The run was terminated.',
    'not whole',
    '3 passed, 1 failed, 0 skipped',
  ]);
});
