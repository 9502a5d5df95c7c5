import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, test } from '@jest/globals';
import { FakeClock } from '@sightline/platform/resilience/testing/fake-clock';
import type { Pod } from './kube-kinds.ts';
import { askOverHttp, PodAsker } from './pod-asker.ts';

const NEVER = new AbortController().signal;

let clock: FakeClock;
let asked: string[];
/** The next answer. */
let answer: (signal: AbortSignal) => Promise<unknown>;
let asker: PodAsker;

beforeEach(() => {
  [clock, asked] = [new FakeClock(), []];
  answer = () => Promise.resolve({ models: [] });
  const ask = (url: string, signal: AbortSignal): Promise<unknown> => {
    asked.push(url);
    return answer(signal);
  };
  asker = new PodAsker({ ask, clock });
});

function pod(uid: string, podIP?: string): Pod {
  const status = podIP === undefined ? {} : { podIP };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: uid, uid }, status };
}

/** A request to a lost node, which gets no answer. */
const silence = async (signal: AbortSignal): Promise<never> => {
  await once(signal, 'abort');
  throw signal.reason;
};

const askAll = (...pods: Pod[]) => asker.askAll(pods, '/models', NEVER);

test('pods that have an address are asked, each once a second', async () => {
  const pods = [pod('a', '10.0.0.1'), pod('b', 'fd00::1'), pod('c')];
  expect(await askAll(...pods)).toEqual([{ models: [] }, { models: [] }, null]);
  await askAll(...pods);
  expect(asked).toEqual(['http://10.0.0.1:9464/models', 'http://[fd00::1]:9464/models']);
  await clock.pass(1_000);
  await askAll(pods[0]!);
  expect(asked).toHaveLength(3);
});

test('what a pod said counts for a minute while it does not answer', async () => {
  const one = pod('a', '10.0.0.1');
  await askAll(one);
  answer = () => Promise.reject(new Error('refused'));
  await clock.pass(59_000);
  expect(await askAll(one)).toEqual([{ models: [] }]);
  await clock.pass(1_000);
  expect(await askAll(one)).toEqual([null]);
});

test('a pod that never answered says nothing, and one that is gone is forgotten', async () => {
  answer = () => Promise.reject(new Error('refused'));
  const one = pod('a', '10.0.0.1');
  expect(await askAll(one)).toEqual([null]);
  answer = () => Promise.resolve(1);
  expect(await askAll(one)).toEqual([null]);
  expect(asked).toHaveLength(1);
  await clock.pass(1_000);
  expect(await askAll(one)).toEqual([1]);
  asker.forget(one);
  answer = () => Promise.resolve(2);
  expect(await askAll(one)).toEqual([2]);
});

test('reconcilers that look at a pod at the same time share the question', async () => {
  const slow = Promise.withResolvers<unknown>();
  answer = () => slow.promise;
  const one = pod('a', '10.0.0.1');
  const both = [askAll(one), askAll(one)];
  slow.resolve(1);
  expect(await Promise.all(both)).toEqual([[1], [1]]);
  expect(asked).toHaveLength(1);
});

test('an abort of one who waits ends its asking alone, with its reason', async () => {
  const slow = Promise.withResolvers<unknown>();
  answer = () => slow.promise;
  const stop = new AbortController();
  const one = pod('a', '10.0.0.1');
  const stopped = asker.askAll([one], '/models', stop.signal);
  const other = askAll(one);
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  slow.resolve(1);
  expect(await other).toEqual([1]);
});

test('a pod that lets questions wait holds a reconciler up once, until it answers', async () => {
  answer = silence;
  const one = pod('a', '10.0.0.1');
  const first = askAll(one);
  await clock.pass(2_000);
  expect(await first).toEqual([null]);
  await clock.pass(1_000);
  expect(await askAll(one)).toEqual([null]);
  expect(asked).toHaveLength(2);
  await clock.pass(3_000);
  answer = () => Promise.resolve(1);
  expect(await askAll(one)).toEqual([null]);
  expect(await askAll(one)).toEqual([1]);
  expect(asked).toHaveLength(3);
  // Callers wait for the pod again.
  answer = () => Promise.resolve(2);
  await clock.pass(1_000);
  expect(await askAll(one)).toEqual([2]);
});

/** The result of `askOverHttp` for a server with this listener. */
async function askServer(listener: RequestListener): Promise<unknown> {
  await using server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await askOverHttp(`http://127.0.0.1:${port}/models`, AbortSignal.timeout(20_000));
  } finally {
    server.closeAllConnections();
  }
}

test('an answer is read as JSON', async () => {
  expect(await askServer((_, response) => response.end('{"models":["é"]}'))).toEqual({
    models: ['é'],
  });
});

test('an answer that does not say its length is read up to the limit only', async () => {
  let sent = 0;
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const asking = askServer((_, response) => {
    const send = (): void => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
    };
    response.on('drain', send);
    send();
  });
  await expect(asking).rejects.toThrow('The answer is too long.');
  expect(sent).toBeLessThan(50_000_000);
});
