import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Dependency } from './dependency.ts';

const SERVER = join(import.meta.dirname, 'fixtures/answering-server.ts');

let server: ChildProcess;
let port: number;
let dependency: Dependency;
let changes: string[];
let changed: () => void;
const agents = { pings: new Agent({ keepAlive: true }), requests: new Agent({ keepAlive: true }) };

beforeEach(async () => {
  server = spawn(process.execPath, [SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: server.stdout! }), 'line')) as [string];
  port = Number(line);
  changes = [];
  changed = () => undefined;
  dependency = new Dependency({
    name: 'server',
    ping: (signal) => ask('/ping', agents.pings, signal),
    unavailable: () => new Error('unavailable'),
    isFailure: (error) => (error as NodeJS.ErrnoException).code?.startsWith('ECONN') ?? false,
    logger: { info: () => undefined, warn: () => undefined },
    observer: {
      stateChanged: ({ state }) => {
        changes.push(state);
        changed();
      },
    },
  });
});

afterEach(async () => {
  dependency[Symbol.dispose]();
  for (const agent of Object.values(agents)) agent.destroy();
  server.kill('SIGKILL');
  await once(server, 'exit');
});

async function ask(path: string, agent: Agent, signal: AbortSignal): Promise<void> {
  const asked = request({ host: '127.0.0.1', port, path, agent, signal }).end();
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  asked
    .on('error', reject)
    .on('response', (answer) => answer.on('end', () => resolve(null)).resume());
  await promise;
}

const get = (path: string) => dependency.guard((signal) => ask(path, agents.requests, signal));

async function untilChanges(count: number): Promise<void> {
  while (changes.length < count) await new Promise<void>((go) => (changed = go));
}

test('calls fail while the server is paused, and the server is available again after it continues', async () => {
  await get('/');
  const slow = get('/slow');
  server.kill('SIGSTOP');
  await expect(Promise.all([slow, get('/')])).rejects.toThrow('unavailable');
  await expect(slow).rejects.toThrow('unavailable');
  expect(changes).toEqual(['available', 'hanging']);
  await expect(get('/')).rejects.toThrow('unavailable');
  server.kill('SIGCONT');
  await untilChanges(3);
  await get('/');
});

test('a blocked event loop does not open the circuit', async () => {
  const slow = get('/slow');
  slow.catch(() => undefined);
  for (let round = 0; round < 3; round++) {
    await delay(400);
    blockEventLoop(1_800);
  }
  await delay(300);
  await get('/');
  expect(changes).toEqual(['available']);
});

test('a busy machine does not open the circuit', async () => {
  const slow = get('/slow');
  slow.catch(() => undefined);
  const busy = Array.from({ length: 4 * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'const end = Date.now() + 4000; while (Date.now() < end);']),
  );
  await Promise.all(busy.map((child) => once(child, 'exit')));
  await get('/');
  expect(changes).toEqual(['available']);
});

function blockEventLoop(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
