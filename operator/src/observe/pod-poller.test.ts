import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, test } from '@jest/globals';
import { FakeClock } from '@sightline/platform/resilience/testing/fake-clock';
import type { Pod } from './kube-kinds.ts';
import { pollOverHttp, PodPoller } from './pod-poller.ts';

const NEVER = new AbortController().signal;

let clock: FakeClock;
let polled: string[];
/** The next answer. */
let answer: (signal: AbortSignal) => Promise<unknown>;
let poller: PodPoller;

beforeEach(() => {
  [clock, polled] = [new FakeClock(), []];
  answer = () => Promise.resolve({ models: [] });
  const poll = (url: string, signal: AbortSignal): Promise<unknown> => {
    polled.push(url);
    return answer(signal);
  };
  poller = new PodPoller({ poll, clock });
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

const pollAll = (...pods: Pod[]) => poller.pollAll(pods, '/models', NEVER);

test('pods that have an address are polled, each once a second', async () => {
  const pods = [pod('a', '10.0.0.1'), pod('b', 'fd00::1'), pod('c')];
  expect(await pollAll(...pods)).toEqual([{ models: [] }, { models: [] }, null]);
  await pollAll(...pods);
  expect(polled).toEqual(['http://10.0.0.1:9464/models', 'http://[fd00::1]:9464/models']);
  await clock.pass(1_000);
  await pollAll(pods[0]!);
  expect(polled).toHaveLength(3);
});

test('the last answer of a pod counts for a minute while it does not respond', async () => {
  const one = pod('a', '10.0.0.1');
  await pollAll(one);
  answer = () => Promise.reject(new Error('refused'));
  await clock.pass(59_000);
  expect(await pollAll(one)).toEqual([{ models: [] }]);
  await clock.pass(1_000);
  expect(await pollAll(one)).toEqual([null]);
});

test('a pod that never answered has no answer, and a deleted pod is forgotten', async () => {
  answer = () => Promise.reject(new Error('refused'));
  const one = pod('a', '10.0.0.1');
  expect(await pollAll(one)).toEqual([null]);
  answer = () => Promise.resolve(1);
  expect(await pollAll(one)).toEqual([null]);
  expect(polled).toHaveLength(1);
  await clock.pass(1_000);
  expect(await pollAll(one)).toEqual([1]);
  poller.forget(one);
  answer = () => Promise.resolve(2);
  expect(await pollAll(one)).toEqual([2]);
});

test('reconcilers that look at a pod at the same time share the request', async () => {
  const slow = Promise.withResolvers<unknown>();
  answer = () => slow.promise;
  const one = pod('a', '10.0.0.1');
  const both = [pollAll(one), pollAll(one)];
  slow.resolve(1);
  expect(await Promise.all(both)).toEqual([[1], [1]]);
  expect(polled).toHaveLength(1);
});

test('an aborted caller stops waiting with its reason, and the request goes on for the others', async () => {
  const slow = Promise.withResolvers<unknown>();
  answer = () => slow.promise;
  const stop = new AbortController();
  const one = pod('a', '10.0.0.1');
  const stopped = poller.pollAll([one], '/models', stop.signal);
  const other = pollAll(one);
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  slow.resolve(1);
  expect(await other).toEqual([1]);
});

test('a silent pod delays a reconciler once, until it answers', async () => {
  answer = silence;
  const one = pod('a', '10.0.0.1');
  const first = pollAll(one);
  await clock.pass(2_000);
  expect(await first).toEqual([null]);
  await clock.pass(1_000);
  expect(await pollAll(one)).toEqual([null]);
  expect(polled).toHaveLength(2);
  await clock.pass(3_000);
  answer = () => Promise.resolve(1);
  expect(await pollAll(one)).toEqual([null]);
  expect(await pollAll(one)).toEqual([1]);
  expect(polled).toHaveLength(3);
  // After the answer, callers wait for the pod again.
  answer = () => Promise.resolve(2);
  await clock.pass(1_000);
  expect(await pollAll(one)).toEqual([2]);
});

/** Polls a server with a listener by `pollOverHttp`. */
async function pollServer(listener: RequestListener): Promise<unknown> {
  await using server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await pollOverHttp(`http://127.0.0.1:${port}/models`, AbortSignal.timeout(20_000));
  } finally {
    server.closeAllConnections();
  }
}

test('an answer is read as JSON', async () => {
  expect(await pollServer((_, response) => response.end('{"models":["é"]}'))).toEqual({
    models: ['é'],
  });
});

test('an answer without a length is read only up to the limit', async () => {
  let sent = 0;
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const polling = pollServer((_, response) => {
    const send = (): void => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
    };
    response.on('drain', send);
    send();
  });
  await expect(polling).rejects.toThrow("The pod's answer is too long.");
  expect(sent).toBeLessThan(50_000_000);
});
