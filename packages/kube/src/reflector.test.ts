import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ObjectList, WatchEvent } from './kube-client.ts';
import { KubeRefusal, KubeUnavailable, toStatus } from './kube-errors.ts';
import type { KubeObject } from './kube-object.ts';
import { FakeClock } from '@sightline/platform/resilience/testing/fake-clock';
import { type ObjectSource, Reflector } from './reflector.ts';

/** A fake API server. A test changes its objects and thereby sends events to the watch. */
class Server implements ObjectSource<KubeObject> {
  readonly objects = new Map<string, KubeObject>();
  lists = 0;
  /** The resource version after which each watch began. */
  readonly watches: string[] = [];
  /** An error that the next list or watch throws once. */
  failure: Error | null = null;
  #version = 0;
  #feed: ((next: Fed) => void) | null = null;

  list(): Promise<ObjectList> {
    this.lists += 1;
    this.#fail();
    const items = [...this.objects.values()];
    return Promise.resolve({ resourceVersion: String(this.#version), items });
  }

  async *watch(resourceVersion: string, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    this.watches.push(resourceVersion);
    this.#fail();
    const fed: Fed[] = [];
    let wake = (): void => undefined;
    this.#feed = (next) => {
      fed.push(next);
      wake();
    };
    signal.addEventListener('abort', () => this.#feed?.(signal.reason as Error));
    for (;;) {
      const next = fed.shift();
      if (next === 'end') return;
      if (next instanceof Error) throw next;
      if (next !== undefined) yield next;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  /** Stores an object and sends an event to the watch. With `isMissed`, the watch gets no event. */
  put(name: string, { isMissed = false } = {}): void {
    const known = this.objects.has(name);
    const object = this.#object(name);
    this.objects.set(name, object);
    if (!isMissed) this.feed({ type: known ? 'MODIFIED' : 'ADDED', object });
  }

  remove(name: string, { isMissed = false } = {}): void {
    this.objects.delete(name);
    if (!isMissed) this.feed({ type: 'DELETED', object: this.#object(name) });
  }

  bookmark(): void {
    this.feed({ type: 'BOOKMARK', object: this.#object('') });
  }

  feed(next: Fed): void {
    this.#feed?.(next);
  }

  #object(name: string): KubeObject {
    this.#version += 1;
    const metadata = { name, namespace: 'shop', resourceVersion: String(this.#version) };
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  }

  #fail(): void {
    const { failure } = this;
    this.failure = null;
    if (failure !== null) throw failure;
  }
}

type Fed = WatchEvent | Error | 'end';

const refusal = (code: number, retryAfter?: string) =>
  new KubeRefusal(toStatus(code, '{}', retryAfter));

let clock: FakeClock;
let server: Server;
let reflector: Reflector<KubeObject>;
let changed: string[];
let failures: unknown[];
let stop: AbortController;
let ended: Promise<unknown>;
beforeEach(() => {
  clock = new FakeClock();
  server = new Server();
  stop = new AbortController();
  [changed, failures] = [[], []];
  reflector = new Reflector({
    source: server,
    clock,
    changed: ({ metadata }) => void changed.push(metadata.name),
    failed: (error) => void failures.push(error),
  });
});
afterEach(async () => {
  stop.abort(new Error('over'));
  await settle();
  expect(await ended).toBe(stop.signal.reason);
});

async function settle(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await turn();
}

async function begin(): Promise<void> {
  ended = reflector.run(stop.signal).catch((error: unknown) => error);
  await settle();
}

async function pass(milliseconds: number): Promise<void> {
  await clock.pass(milliseconds);
  await settle();
}

const names = () => reflector.values().map(({ metadata }) => metadata.name);

test('lists objects, then follows additions, changes and deletions', async () => {
  server.put('a');
  await begin();
  await reflector.listed;
  server.put('b');
  server.put('a');
  server.remove('b');
  await settle();
  expect(changed).toEqual(['a', 'b', 'a', 'b']);
  expect(names()).toEqual(['a']);
  expect(reflector.get('shop/a')?.metadata.resourceVersion).toBe('3');
  expect([server.lists, server.watches]).toEqual([1, ['1']]);
});

test('a watch that ended continues after the last event or bookmark', async () => {
  await begin();
  server.put('a');
  server.bookmark();
  server.feed('end');
  await pass(1_000);
  expect(server.watches).toEqual(['0', '2']);
  expect(server.lists).toBe(1);
  expect(changed).toEqual(['a']);
});

const EXPIRIES: readonly (readonly [string, () => void])[] = [
  [
    'at its beginning',
    () => {
      server.failure = refusal(410);
      server.feed('end');
    },
  ],
  ['in its middle', () => server.feed(refusal(410))],
];

test.each(EXPIRIES)(
  'a watch that expires %s: missed changes are reported',
  async (_when, expire) => {
    for (const name of ['a', 'b', 'c']) server.put(name);
    await begin();
    changed.length = 0;
    server.put('b', { isMissed: true });
    server.remove('c', { isMissed: true });
    expire();
    await pass(3_000);
    expect(server.lists).toBe(2);
    expect(changed.toSorted()).toEqual(['b', 'c']);
    expect(names().toSorted()).toEqual(['a', 'b']);
  },
);

test.each([refusal(500), new KubeUnavailable('cut'), refusal(403)])(
  'after %s a watch continues at the same version',
  async (failure) => {
    await begin();
    server.put('a');
    server.feed(failure);
    await pass(1_000);
    expect(server.watches).toEqual(['0', '1']);
    expect([server.lists, failures]).toEqual([1, [failure]]);
  },
);

test('failures are reported once while the retries fail in the same way', async () => {
  await begin();
  const [refused, cut] = [refusal(403), new KubeUnavailable('cut')];
  for (const failure of [refused, refusal(403), cut, cut]) {
    server.feed(failure);
    await pass(11_000);
  }
  expect(failures).toEqual([refused, cut]);
  server.put('a');
  await pass(11_000);
  server.feed(cut);
  await pass(11_000);
  expect(failures).toEqual([refused, cut, cut]);
});

test('is failing until a list or a watch succeeds', async () => {
  server.failure = refusal(403);
  await begin();
  expect(reflector.isFailing).toBe(true);
  await pass(1_000);
  expect([server.lists, reflector.isFailing]).toEqual([2, false]);
  server.feed(refusal(403));
  await pass(1_000);
  expect(reflector.isFailing).toBe(true);
  server.bookmark();
  await settle();
  expect(reflector.isFailing).toBe(false);
});

test('the Retry-After of the server is respected', async () => {
  server.failure = refusal(429, '7');
  await begin();
  await pass(6_900);
  expect(server.lists).toBe(1);
  await pass(200);
  expect(server.lists).toBe(2);
});

test('the pauses between retries grow', async () => {
  let asked = 0;
  server.list = () => {
    asked += 1;
    return Promise.reject(new KubeUnavailable('away'));
  };
  await begin();
  for (let second = 0; second < 300; second++) await pass(1_000);
  expect(asked).toBeGreaterThan(25);
  expect(asked).toBeLessThan(45);
});

test('if the server ends each watch at once, a watch starts once per second', async () => {
  await begin();
  for (let second = 0; second < 10; second++) {
    server.feed('end');
    await pass(1_000);
  }
  expect(server.watches.length).toBeLessThan(12);
});
