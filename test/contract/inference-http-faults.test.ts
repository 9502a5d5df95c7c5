import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { backgroundOf, type Tenant } from '@sightline/core/analysis/tenant';
import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import { WIRE_TYPE } from '@sightline/engine/wire/preamble';
import {
  HttpImageAnalyzer,
  type HttpImageAnalyzerOptions,
} from '@sightline/analysis/http/http-image-analyzer';
import { Dependency } from '@sightline/platform/resilience/dependency';
import { type ScriptedInference, startScriptedInference } from './scripted-inference.ts';

const UNAVAILABLE = { code: 'inference_unavailable' };
const IGNORE = () => undefined;

let resources: AsyncDisposableStack;
let server: ScriptedInference;

beforeEach(async () => {
  resources = new AsyncDisposableStack();
  server = await start();
});

afterEach(async () => {
  await resources.disposeAsync();
});

const start = async (options?: Parameters<typeof startScriptedInference>[0]) =>
  resources.use(await startScriptedInference(options));

function open(
  servers: readonly ScriptedInference[],
  options: Partial<HttpImageAnalyzerOptions> = {},
) {
  const urls = servers.map(({ url }) => url);
  const analyzer = resources.use(new HttpImageAnalyzer({ urls, ...options }));
  return {
    analyzer,
    /**
     * Returns the id of the process that answered, which the scripted engine reports as the width.
     */
    ask: async (text: string, signal?: AbortSignal) =>
      (await analyzer.analyze({ image: new TextEncoder().encode(text) }, signal)).image.width,
  };
}

/** Creates the guard of an address with the options that the service uses. */
const guardOf: NonNullable<HttpImageAnalyzerOptions['guardOf']> = (address) =>
  resources.use(
    new Dependency({
      name: 'inference',
      isFailure: () => true,
      ping: (signal) => address.ping(signal),
      unavailable: (cause) => new InferenceUnavailable('Inference hangs.', {}, { cause }),
      logger: { info: IGNORE, warn: IGNORE },
    }),
  );

/** Retries until there is an answer. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch {
      await delay(50);
    }
  }
}

test('a process that is killed costs what it had; when it is back it is used again', async () => {
  const { ask, analyzer } = open([server]);
  const lost = ask('hold');
  await server.said('hold');
  server.process.kill('SIGKILL');
  await expect(lost).rejects.toMatchObject(UNAVAILABLE);
  await expect(ask('x')).rejects.toMatchObject(UNAVAILABLE);
  await delay(600);
  await expect(analyzer.status()).rejects.toMatchObject(UNAVAILABLE);
  const again = await start({ port: server.port });
  expect(await answered(() => ask('x'))).toBe(again.process.pid);
  // Retries, because the adapter caches a status for half a second, and the cached one may be that of the killed
  // process.
  expect(await answered(() => analyzer.status())).toMatchObject({ ready: true });
});

test('a caller of background work learns whether its image was alone when the process died', async () => {
  const { analyzer } = open([server]);
  const tenant = backgroundOf({ environmentId: 1 });
  const send = (text: string, options: { readonly tenant?: Tenant } = {}) => {
    const sent = analyzer.analyze({ image: new TextEncoder().encode(text), ...options });
    sent.catch(IGNORE);
    return sent;
  };
  const die = async () => {
    server.process.kill('SIGKILL');
    await once(server.process, 'exit');
  };
  const alone = send('hold', { tenant });
  await server.said('hold');
  await die();
  await expect(alone).rejects.toMatchObject({ crash: 'inference_alone' });

  server = await start({ port: server.port });
  await answered(() => send('x', { tenant }));
  const accompanied = send('hold', { tenant });
  await server.said('hold');
  void send('hold ');
  await server.said('hold ');
  await die();
  await expect(accompanied).rejects.toMatchObject({ crash: 'inference' });

  server = await start({ port: server.port });
  await answered(() => send('x'));
  void send('hold');
  await server.said('hold');
  const late = send('hold ', { tenant });
  await server.said('hold ');
  await die();
  await expect(late).rejects.toMatchObject({ crash: 'inference' });
});

test('one of two that is killed costs nothing', async () => {
  const other = await start();
  const { ask, analyzer } = open([server, other]);
  const pending = [ask('hold'), ask('hold')];
  for (const outcome of pending) outcome.catch(IGNORE);
  await Promise.all([server.said('hold'), other.said('hold')]);
  server.process.kill('SIGKILL');
  for (let i = 0; i < 6; i++) expect(await ask('x')).toBe(other.process.pid);
  expect(await analyzer.statuses()).toHaveLength(1);
});

test('a process that hangs is given up when the time is over', async () => {
  const { ask } = open([server], { timeoutMs: 300 });
  server.process.kill('SIGSTOP');
  await expect(ask('x')).rejects.toMatchObject(UNAVAILABLE);
  server.process.kill('SIGCONT');
});

test('the observer is notified of a hanging process, and of its recovery', async () => {
  const { ask } = open([server], { guardOf });
  expect(await ask('x')).toBe(server.process.pid);
  server.process.kill('SIGSTOP');
  // The process stays paused during this request, so the guard ends the request.
  await expect(ask('x')).rejects.toMatchObject(UNAVAILABLE);
  server.process.kill('SIGCONT');
  expect(await answered(() => ask('x'))).toBe(server.process.pid);
});

test('what waits for one that hangs goes to the other one', async () => {
  const other = await start();
  const { ask } = open([server, other], { guardOf });
  server.process.kill('SIGSTOP');
  const answers = await Promise.all([1, 2, 3, 4].map(() => ask('x')));
  expect(new Set(answers)).toEqual(new Set([other.process.pid]));
  server.process.kill('SIGCONT');
});

test('a full process hands on; if all are, the caller hears who has time first', async () => {
  const [busy, busier] = [server, await start({ retryAfter: 9 })];
  const { ask } = open([busier, busy]);
  const refusal = { code: 'overloaded', retryAfterSeconds: 1 };
  await expect(ask('full')).rejects.toMatchObject(refusal);
  await expect(ask('full')).rejects.toMatchObject(refusal);
  const alone = open([busier]);
  await expect(alone.ask('full')).rejects.toMatchObject({ retryAfterSeconds: 9 });
});

test('the work ends when the caller leaves', async () => {
  const { ask } = open([server]);
  const controller = new AbortController();
  const left = ask('hold', controller.signal);
  await server.said('hold');
  const reason = new Error('the caller left');
  controller.abort(reason);
  await expect(left).rejects.toBe(reason);
  await server.said('aborted');
});

test('the work ends when its time is over', async () => {
  // On a busy machine the time limit may expire before the analysis starts.
  for (let timeoutMs = 500; !server.hasSaid('hold'); timeoutMs *= 2) {
    const { ask } = open([server], { timeoutMs });
    await expect(ask('hold')).rejects.toMatchObject(UNAVAILABLE);
  }
  await server.said('aborted');
});

test('a process that is to stop finishes what it has', async () => {
  const { ask } = open([server]);
  const last = ask('work');
  await server.said('work');
  const exited = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  expect(await last).toBe(server.process.pid);
  expect(await exited).toEqual([0, null]);
});

test('a body over the limit is refused before it is sent', async () => {
  const refused = httpRequest(new URL('/v1/analyze', server.url), {
    method: 'POST',
    headers: { 'content-type': WIRE_TYPE, 'content-length': 10_000_000 },
  });
  refused.flushHeaders();
  const [response] = await once(refused, 'response');
  expect(response).toMatchObject({ statusCode: 413 });
  // The server may close the connection first, which is an error for the client.
  refused.on('error', IGNORE).destroy();
  const { ask } = open([server]);
  await expect(ask('x'.repeat(6_000_000))).rejects.toMatchObject({
    code: 'image_too_large',
    facts: { max_bytes: 1000 },
  });
});

test('a process of another version is not understood, and the error says why', async () => {
  const other = createServer((request, response) => {
    request.resume();
    const isStatus = request.url === '/v1/status';
    response.end(isStatus ? '{"wire":9}' : Buffer.from('SLIM\x09\0\x02\0\0\0\0\0', 'latin1'));
  });
  resources.defer(() => void other.close());
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  const analyzer = resources.use(
    new HttpImageAnalyzer({ urls: [new URL(`http://127.0.0.1:${port}`)] }),
  );
  const cause = { message: expect.stringMatching(/version 1 .* version 9/) };
  const analysis = analyzer.analyze({ image: Uint8Array.of(1) });
  await expect(analysis).rejects.toMatchObject({ ...UNAVAILABLE, cause });
  await expect(analyzer.status()).rejects.toMatchObject({ ...UNAVAILABLE, cause });
});
