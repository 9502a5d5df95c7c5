import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SupervisedProcess } from './supervised-process.ts';

let folder: string;
let lines: string[];
let events: string[];
const never = new AbortController().signal;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'supervised-'));
  [lines, events] = [[], []];
});
afterEach(() => rm(folder, { recursive: true }));

/** Supervises a program that appends to a file at each start and then runs the given code. */
function supervise(then: string, restart = true): SupervisedProcess {
  const noted = join(folder, 'starts');
  const program = `require('fs').appendFileSync(${JSON.stringify(noted)}, 'x'); ${then}`;
  return new SupervisedProcess(
    {
      name: 'one',
      command: process.execPath,
      args: ['-e', program],
      environment: { PATH: process.env.PATH },
      isReady: async () => (await starts()) > 0,
    },
    {
      restart,
      onLine: (name, line) => lines.push(`${name}: ${line}`),
      onEvent: (name, event) => events.push(`${name} ${event}`),
    },
  );
}

async function starts(): Promise<number> {
  return readFile(join(folder, 'starts'), 'utf8').then(
    (text) => text.length,
    () => 0,
  );
}

async function untilStarted(count: number): Promise<void> {
  while ((await starts()) < count) await delay(20);
}

const STAYS = `console.log('hello'); setInterval(() => {}, 1000);`;

test('a process that crashes is reported and restarted', async () => {
  await using running = supervise(STAYS);
  running.start();
  await running.untilReady(never);
  await running.kill();
  await untilStarted(2);
  expect(events).toEqual(['one ended with SIGKILL; restarting']);
});

test('a process that was stopped is not restarted', async () => {
  await using running = supervise(STAYS);
  running.start();
  await untilStarted(1);
  await running.stop();
  await delay(700);
  expect(await starts()).toBe(1);
  expect(events).toEqual([]);
  expect(running.pid).toBeUndefined();
  running.start();
  await untilStarted(2);
});

test('a process that hangs can be killed', async () => {
  await using running = supervise(STAYS);
  running.start();
  await untilStarted(1);
  running.hang();
  await running.stop();
  expect(running.pid).toBeUndefined();
});

test.each([true, false])(
  'a process that ends before it is ready is reported with its last error line (restart: %s)',
  async (restart) => {
    const { plan } = supervise(`console.error('no such database'); process.exitCode = 1;`);
    await using unready = new SupervisedProcess(
      { ...plan, isReady: () => Promise.resolve(false) },
      { restart, onLine: () => undefined, onEvent: () => undefined },
    );
    unready.start();
    await expect(unready.untilReady(never)).rejects.toThrow(
      'The process one ended: no such database',
    );
    expect(await starts()).toBe(1);
  },
);

test('processes end when their supervisor is killed', async () => {
  const pidFile = join(folder, 'pid');
  const supervisor = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { SupervisedProcess } from ${JSON.stringify(join(import.meta.dirname, 'supervised-process.ts'))};
    const program = "process.on('SIGTERM', () => process.exit()); setInterval(() => {}, 1000);" +
      "require('fs').writeFileSync(${pidFile}, String(process.pid))";
    new SupervisedProcess(
      { name: 'one', command: process.execPath, args: ['-e', program], environment: {}, isReady: async () => true },
      { restart: true, onLine: () => {}, onEvent: () => {} },
    ).start();
    console.log('started');`.replace(`(${pidFile}`, `('${pidFile}'`),
  ]);
  try {
    // The supervisor must watch the process before the test kills the supervisor, so the id in the file is not
    // enough.
    await once(supervisor.stdout, 'data');
    const pid = await pidIn(pidFile);
    supervisor.kill('SIGKILL');
    while (isAlive(pid)) await delay(20);
  } finally {
    supervisor.kill('SIGKILL');
  }
});

async function pidIn(file: string): Promise<number> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text !== '') return Number(text);
    await delay(20);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
