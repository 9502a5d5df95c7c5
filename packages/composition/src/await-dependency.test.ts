import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { freePort } from '@sightline/dev-platform/free-port';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { createLogger } from '@sightline/platform/logging/logger';
import { awaitDependency, type StartupWait } from './await-dependency.ts';

const WHAT = 'The store';

function wait(timeoutMs: number, signal = new AbortController().signal): StartupWait {
  return { timeoutMs, signal, logger: createLogger({ level: 'silent' }) };
}

let server: Server | undefined;
afterEach(() => void server?.close());

async function listen(port: number): Promise<void> {
  server = createServer((socket) => socket.end()).listen(port, '127.0.0.1');
  await once(server, 'listening');
}

/** Connects to the port. Throws like a store: its own error, with the system's error as the cause. */
async function reach(port: number): Promise<string> {
  try {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    return 'reached';
  } catch (error) {
    throw new StoreUnavailable('It cannot be reached.', {}, { cause: error });
  }
}

/** Returns a port on which no server listens yet, and a promise of the first failed attempt to connect. */
async function closedPort() {
  const port = await freePort();
  const first = Promise.withResolvers<undefined>();
  const attempt = async (): Promise<string> => {
    try {
      return await reach(port);
    } finally {
      first.resolve(undefined);
    }
  };
  return { port, attempt, failed: first.promise };
}

test('waits for a service that is still starting', async () => {
  const { port, attempt, failed } = await closedPort();
  const waiting = awaitDependency(WHAT, wait(3_600_000), attempt);
  await failed;
  await listen(port);
  expect(await waiting).toBe('reached');
});

describe('one sentence explains', () => {
  test('a service that does not start', async () => {
    const { attempt } = await closedPort();
    await expect(awaitDependency(WHAT, wait(0), attempt)).rejects.toEqual(
      new StartError('The store cannot be used: It cannot be reached (ECONNREFUSED).'),
    );
  });

  test('a refusal, which is not retried', async () => {
    let attempts = 0;
    const refused = () => {
      attempts++;
      const cause = Object.assign(new Error('no'), { code: '28P01' });
      return Promise.reject(new StoreUnavailable('It knows no such user.', {}, { cause }));
    };
    await expect(awaitDependency(WHAT, wait(30_000), refused)).rejects.toThrow(
      'The store cannot be used: It knows no such user.',
    );
    expect(attempts).toBe(1);
  });
});

test('an abort ends the wait', async () => {
  const stop = new AbortController();
  const { attempt, failed } = await closedPort();
  const waiting = awaitDependency(WHAT, wait(3_600_000, stop.signal), attempt);
  const ended = expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  await failed;
  stop.abort();
  await ended;
});

test('an unexpected error is passed on unchanged', async () => {
  const defect = new TypeError('a bug');
  await expect(awaitDependency(WHAT, wait(0), () => Promise.reject(defect))).rejects.toBe(defect);
});
