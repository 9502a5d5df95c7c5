import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';

const SCRIPT = join(import.meta.dirname, 'fixtures/scripted-process.ts');

let child: ChildProcess;
let messages: string[];
let url: string;
let reason: string | undefined;

afterEach(() => void child.kill('SIGKILL'));

interface Run {
  readonly args?: readonly string[];
  readonly scenario?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

function run({ args = [], scenario = '', settings = {} }: Run = {}): void {
  const fixed = { PATH: process.env.PATH, SIGHTLINE_OPS_PORT: '0', SCENARIO: scenario };
  const env = Object.assign(fixed, settings);
  child = spawn(process.execPath, [SCRIPT, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

function listen(): void {
  messages = [];
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const record = JSON.parse(line) as Record<'msg', string> &
      Partial<Record<'url' | 'reason', string>>;
    url = record.url ?? url;
    reason = record.reason ?? reason;
    messages.push(record.msg);
    child.emit('said');
  });
}

async function said(message: string): Promise<void> {
  while (!messages.includes(message)) await once(child, 'said');
}

async function readiness(): Promise<unknown> {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, ...((await response.json()) as object) };
}

const NOT_READY = { status: 503, ready: false, checks: { main: false } };

test('a process is alive and not ready while it waits, and while it finishes accepted requests', async () => {
  run();
  listen();
  await said('waits');
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  expect(await readiness()).toEqual(NOT_READY);
  child.kill('SIGUSR2');
  await said('runs');
  expect(await readiness()).toEqual({ status: 200, ready: true, checks: { main: true } });
  child.kill('SIGTERM');
  await said('finishes');
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  expect(await readiness()).toEqual(NOT_READY);
  child.kill('SIGUSR2');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(messages.slice(1)).toEqual(['waits', 'runs', 'stopping', 'finishes', 'closed']);
  expect(reason).toBe('SIGTERM was received.');
});

/** A loopback address that differs from the default. */
const OTHER_HOST = process.platform === 'linux' ? '127.0.0.2' : '::1';
const OTHER_HOSTNAME = process.platform === 'linux' ? '127.0.0.2' : '[::1]';

test.each([
  [{}, '127.0.0.1'],
  [{ SIGHTLINE_HOST: OTHER_HOST }, OTHER_HOSTNAME],
  [{ SIGHTLINE_HOST: OTHER_HOST, SIGHTLINE_OPS_HOST: '127.0.0.1' }, '127.0.0.1'],
])('with %j the operations endpoints are at %s', async (settings, host) => {
  run({ settings });
  listen();
  await said('waits');
  expect(new URL(url).hostname).toBe(host);
});

test('a stop ends a start that waits', async () => {
  run();
  listen();
  await said('waits');
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
});

test('a stop that hangs ends with an explanation', async () => {
  run({ scenario: 'hangs' });
  listen();
  const stderr = text(child.stderr!);
  await said('waits');
  child.kill('SIGUSR2');
  await said('runs');
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(await stderr).toMatch(/^The process did not stop in time/);
  expect(messages).not.toContain('closed');
});

test('a failed start ends with one sentence', async () => {
  run({ scenario: 'refuses' });
  listen();
  const stderr = text(child.stderr!);
  await said('waits');
  child.kill('SIGUSR2');
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(await stderr).toBe('Said in the words of a store.\n');
});

test.each(['--port=9000', 'serve'])('%s is not accepted as an argument', async (word) => {
  run({ args: [word] });
  const [stdout, stderr, ended] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close'),
  ]);
  expect(ended).toEqual([1, null]);
  expect(stdout).toBe('');
  expect(stderr).toBe(
    `This process accepts no arguments, but got "${word}": its settings are environment variables, which --help lists.\n`,
  );
});

test('the help describes the process and names every variable', async () => {
  run({ args: ['--help'] });
  const [stdout] = await Promise.all([text(child.stdout!), once(child, 'close')]);
  expect(stdout).toMatch(/^Sightline 0\.0\.0-test: a process of a test\.$/m);
  expect(stdout).toContain('SIGHTLINE_OPS_PORT');
});
