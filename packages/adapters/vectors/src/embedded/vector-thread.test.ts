import { afterEach, describe, expect, test } from '@jest/globals';
import { VectorThread } from './vector-thread.ts';

const threads: VectorThread[] = [];
let lost: unknown[] = [];
afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.close()));
  lost = [];
});

const SCRIPTED = new URL('./fixtures/scripted-thread.ts', import.meta.url);
const BROKEN = new URL('./fixtures/broken-thread.ts', import.meta.url);

async function start(script = SCRIPTED): Promise<VectorThread> {
  const thread = await VectorThread.start({ script, onLost: (reason) => lost.push(reason) });
  threads.push(thread);
  return thread;
}

const space = { environmentId: 1, modelId: 1, kind: 'faces', dimension: 2 } as const;
const list = (after: number) => ({ do: 'list', space, after, limit: 1 }) as const;
const fail = { do: 'remove', space, ids: new Float64Array() } as const;
const tearDown = { do: 'dropEnvironment', environmentId: 1 } as const;
const search = { vectors: new Float32Array(), limit: 1 };
const exit = { do: 'searchPoints', space, ...search } as const;
const hang = { do: 'searchIdentities', space, ...search } as const;
const unavailable = (message: string, cause: unknown) =>
  expect.objectContaining({ code: 'vectors_unavailable', message, cause });
const down = 'The vector index is down.';

test('processes requests in order', async () => {
  const thread = await start();
  const order: number[] = [];
  await Promise.all(
    [1, 2, 3].map(async (n) => {
      expect(await thread.call(list(n))).toEqual([{ id: n, identityId: null, fingerprint: null }]);
      order.push(n);
    }),
  );
  expect(order).toEqual([1, 2, 3]);
});

test('a failed request does not affect others', async () => {
  const thread = await start();
  const failed = unavailable(
    'The vector index failed.',
    expect.objectContaining({ message: 'no memory' }),
  );
  await expect(thread.call(fail)).rejects.toEqual(failed);
  expect(await thread.call(list(1))).toHaveLength(1);
});

test('a request aborted while it waits is never sent', async () => {
  const thread = await start();
  const reason = new Error('the caller left');
  const controller = new AbortController();
  const first = thread.call(list(1));
  const second = thread.call(exit, { signal: controller.signal });
  const third = thread.call(list(3));
  controller.abort(reason);
  await expect(second).rejects.toBe(reason);
  expect(await Promise.all([first, third])).toHaveLength(2);
  expect(thread.alive).toBe(true);
});

test('aborting the running request affects only its caller', async () => {
  const thread = await start();
  const reason = new Error('the caller left');
  const controller = new AbortController();
  const first = thread.call(list(1), { signal: controller.signal });
  const second = thread.call(list(2));
  controller.abort(reason);
  await expect(first).rejects.toBe(reason);
  expect(await second).toEqual([{ id: 2, identityId: null, fingerprint: null }]);
});

test('a retiring thread finishes its requests and accepts no more', async () => {
  const thread = await start();
  const calls = [thread.call(list(1)), thread.call(list(2))];
  const retired = thread.retire();
  await expect(thread.call(list(3))).rejects.toEqual(unavailable(down, undefined));
  expect(await Promise.all(calls)).toHaveLength(2);
  await retired;
  await (await start()).retire();
  expect(lost).toEqual([]);
});

describe('a thread that ends', () => {
  test.each([
    ['by an error', tearDown, expect.objectContaining({ message: 'torn down' })],
    ['by itself', exit, undefined],
  ])('%s fails all pending and later requests', async (_, request, cause) => {
    const thread = await start();
    const calls = [thread.call(request), thread.call(list(1)), thread.call(list(2))];
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toEqual({ status: 'rejected', reason: unavailable(down, cause) });
    }
    expect(thread.alive).toBe(false);
    expect(lost).toEqual([unavailable(down, cause)]);
    await expect(thread.call(list(3))).rejects.toEqual(unavailable(down, cause));
  });

  test('because it is closed does not count as lost', async () => {
    const thread = await start();
    const calls = [thread.call(hang), thread.call(list(1))];
    const closed = thread.close();
    for (const call of calls) {
      await expect(call).rejects.toEqual(unavailable(down, undefined));
    }
    await closed;
    expect(thread.alive).toBe(false);
    expect(lost).toEqual([]);
  });

  test('before it is ready rejects the start', async () => {
    const cause = expect.objectContaining({ message: 'does not start' });
    await expect(start(BROKEN)).rejects.toEqual(unavailable(down, cause));
  });
});
