import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { createLogger } from '@sightline/platform/logging/logger';
import { awaitDependency, type Patience } from './await-dependency.ts';

const WHAT = 'The store';

function patience(timeoutMs: number, signal = new AbortController().signal): Patience {
  return { timeoutMs, signal, logger: createLogger({ level: 'silent' }) };
}

let server: Server | undefined;
afterEach(() => void server?.close());

async function listen(port = 0): Promise<number> {
  server = createServer((socket) => socket.end()).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A port at which nobody listens. */
async function closedPort(): Promise<number> {
  const port = await listen();
  server!.close();
  await once(server!, 'close');
  return port;
}

/** What a store does: its own words, with the system's as their cause. */
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

test('what is not up yet is waited for', async () => {
  const port = await closedPort();
  const waiting = awaitDependency(WHAT, patience(30_000), () => reach(port));
  await delay(100);
  await listen(port);
  expect(await waiting).toBe('reached');
});

describe('a sentence is what comes of', () => {
  test('a service that never comes', async () => {
    const port = await closedPort();
    await expect(awaitDependency(WHAT, patience(0), () => reach(port))).rejects.toEqual(
      new StartError('The store cannot be used: It cannot be reached (ECONNREFUSED).'),
    );
  });

  test('a refusal, which nobody waits for', async () => {
    let attempts = 0;
    const refused = () => {
      attempts++;
      const cause = Object.assign(new Error('no'), { code: '28P01' });
      return Promise.reject(new StoreUnavailable('It knows no such user.', {}, { cause }));
    };
    await expect(awaitDependency(WHAT, patience(30_000), refused)).rejects.toThrow(
      'The store cannot be used: It knows no such user.',
    );
    expect(attempts).toBe(1);
  });
});

test('whoever stops the process waits no longer', async () => {
  const stop = new AbortController();
  const port = await closedPort();
  const waiting = awaitDependency(WHAT, patience(30_000, stop.signal), () => reach(port));
  const ended = expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  await delay(100);
  stop.abort();
  await ended;
});

test('a defect stays what it is', async () => {
  const defect = new TypeError('a bug');
  await expect(awaitDependency(WHAT, patience(0), () => Promise.reject(defect))).rejects.toBe(
    defect,
  );
});
