import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Lease } from '@sightline/core/leases/lease';
import { checkConsistency } from '@sightline/core/maintenance/check-consistency';
import { indexChanges, type IndexDeps } from '@sightline/core/vectors/index-changes';
import { rebuildIndex } from '@sightline/core/vectors/rebuild-index';
import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import { Spool } from '@sightline/platform/http/spool';
import { createLogger } from '@sightline/platform/logging/logger';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { EmbeddedVectorIndex } from '@sightline/vectors/embedded/embedded-vector-index';
import { Indexer } from '@sightline/background/worker/indexer';
import { AesSecretBox } from '@sightline/composition/secrets/aes-secret-box';
import { createWorkerRole, type WorkerRole } from '@sightline/background/worker/role';
import { NO_DOWNLOADS } from '../../support/fixtures/no-downloads.ts';
import { NO_INFERENCE } from '../../support/fixtures/no-inference.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let resources: AsyncDisposableStack;
let store: StoreFixture;
let home: SeededEnvironment;
let index: EmbeddedVectorIndex;
let deps: IndexDeps;

beforeEach(async () => {
  resources = new AsyncDisposableStack();
  store = resources.use(await openStoreFixture());
  home = await store.environment();
  index = resources.use(new EmbeddedVectorIndex());
  deps = { source: store.source, changeLog: store.changeLog, index };
});

afterEach(async () => {
  await resources.disposeAsync();
});

const faceOf = (identityId: number | null, degrees: number) => ({
  identityId,
  embedding: { modelId: store.faceModelId, vector: direction(degrees) },
  ...(identityId !== null && { enrolledBy: [store.faceModelId] }),
});

function findings() {
  return checkConsistency({ ...store, vectors: deps });
}

function workerOf(of: VectorIndex): WorkerRole {
  return createWorkerRole({
    settingDefaults: {},
    operations: { endpoint: null, serve: () => undefined },
    version: '1.2.3',
    spool: new Spool({ maxBytes: 1024 ** 2, reserveBytes: 0 }),
    secrets: new AesSecretBox(null),
    endpoints: () => [],
    downloads: NO_DOWNLOADS,
    stores: { ...store, indexSource: store.source, vectors: of },
    inference: NO_INFERENCE,
    works: {},
    orphanGraceMs: 3_600_000,
    logger: createLogger({ level: 'silent' }),
    registry: createMetricsRegistry(),
  });
}

/** Polls until the condition holds. Otherwise the test times out. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(50);
}

test('an index is filled with all environments, and holds concurrent writes', async () => {
  const other = await store.environment();
  const ann = await home.identity('Ann');
  await home.photo([faceOf(ann, 10), faceOf(null, 50)]);
  await other.photo([faceOf(await other.identity('Ann'), 30)]);
  const progress: number[] = [];
  const progressed = (points: number) => progress.push(points);
  const writing = home.photo([faceOf(ann, 20), faceOf(null, 70)]);
  expect(await rebuildIndex(deps, { progressed })).toBe(progress.at(-1));
  await writing;
  while (await indexChanges(deps));
  expect(await store.changeLog.state()).toBe('filled');
  expect(await findings()).toEqual([]);
});

test('an index answers during its rebuild, and keeps no old points', async () => {
  const ann = await home.identity('Ann');
  for (let i = 0; i < 5; i++) await home.photo([faceOf(ann, i)]);
  await rebuildIndex(deps);
  const space = {
    environmentId: home.scope.environmentId,
    modelId: store.faceModelId,
    ...({ kind: 'faces', dimension: 2 } as const),
  };
  const stray = { id: 2 ** 40, identityId: null, fingerprint: 0, vector: direction(0) };
  await index.upsert(space, [stray]);

  let isDone = false;
  let searches = 0;
  const search = async () => {
    while (!isDone) {
      const query = { vectors: [direction(0)], limit: 3 };
      const [hits] = await index.searchIdentities(space, query);
      expect(hits).toMatchObject([{ identityId: ann }]);
      searches++;
      await sleep(1);
    }
  };
  const rebuild = async () => {
    for (let i = 0; i < 3; i++) await rebuildIndex(deps);
    isDone = true;
  };
  await Promise.all([search(), rebuild()]);
  expect(searches).toBeGreaterThan(0);
  expect(await store.changeLog.state()).toBe('filled');
  expect(await findings()).toEqual([]);
});

test('an aborted rebuild leaves the index as it was, and the next one is complete', async () => {
  const ann = await home.identity('Ann');
  await home.photo([faceOf(ann, 10)]);
  await rebuildIndex(deps);
  await home.photo([faceOf(ann, 20)]);
  const stop = new AbortController();
  const reason = new Error('stop');
  const ended = rebuildIndex(deps, { progressed: () => stop.abort(reason), signal: stop.signal });
  await expect(ended).rejects.toBe(reason);
  expect(await index.state()).toBe('ready');
  expect(await store.changeLog.state()).toBe('filled');
  while (await indexChanges(deps));
  expect(await findings()).toEqual([]);
  expect(await rebuildIndex(deps)).toBe(5);
  expect(await findings()).toEqual([]);
});

test('a worker fills an index before it has started, and rebuilds it on request', async () => {
  const ann = await home.identity('Ann');
  await home.photo([faceOf(ann, 10)]);
  await store.changeLog.leave();
  const worker = resources.use(workerOf(index));
  await worker.start(new AbortController().signal);
  expect(await index.state()).toBe('ready');
  const first = await ownReader();
  expect(first).toMatchObject({ state: 'filled', filling: null });

  expect(await store.indexStatus.requestRebuild()).toBe(1);
  await until(async () => (await store.changeLog.state()) === 'filled');
  const second = await ownReader();
  expect(second!.filledAt!.getTime()).toBeGreaterThan(first!.filledAt!.getTime());
  await until(async () => (await ownReader())!.comparedAt !== null);
  expect(await findings()).toEqual([]);
  await worker[Symbol.asyncDispose]();
  expect(await ownReader()).toBeUndefined();
});

test('an index that is filled with more vectors than it is meant for is reported', async () => {
  await home.photo([faceOf(null, 10), faceOf(null, 20)]);
  const lines: string[] = [];
  const fill = async (meantFor: number) => {
    await store.changeLog.leave();
    const logger = createLogger({
      level: 'warn',
      destination: { write: (line: string) => lines.push(line) },
    });
    const lease = { hold: () => Promise.resolve(true), release: () => Promise.resolve() };
    const observer = { indexFilling: () => undefined };
    const indexer = new Indexer({ ...deps, logger, lease, meantFor, observer });
    await indexer.fill(new AbortController().signal);
  };
  await fill(2);
  expect(lines).toEqual([]);
  await fill(1);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { vectors: 2, meantFor: 1, msg: expect.stringContaining('SIGHTLINE_QDRANT_URL') },
  ]);
});

async function ownReader() {
  const readers = await store.indexStatus.readers();
  return readers.find(({ name }) => name === store.changeLog.reader);
}

test('one of two processes maintains an index, and the other takes over when it is killed', async () => {
  const ann = await home.identity('Ann');
  await home.photo([faceOf(ann, 10)]);
  const indexerOf = (holder: string) =>
    new Indexer({
      ...deps,
      logger: createLogger({ level: 'silent' }),
      lease: new Lease({ leases: store.leases, name: 'index:test', holder, seconds: 20 }),
      observer: { indexFilling: () => undefined },
    });
  const [first, second] = [indexerOf('first'), indexerOf('second')];
  const { signal } = new AbortController();
  await first.fill(signal);
  await second.catchUp(signal);
  expect([first.keeps(), second.keeps()]).toEqual([true, false]);
  await home.photo([faceOf(ann, 20)]);
  await second.catchUp(signal);
  expect(await store.changeLog.backlog()).toBeGreaterThan(0);

  await store.query(`UPDATE leases SET held_until = now() - interval '1 second'`);
  await until(async () => {
    await second.catchUp(signal);
    return second.keeps();
  });
  expect(await store.changeLog.backlog()).toBe(0);
  await until(async () => {
    await first.catchUp(signal);
    return !first.keeps();
  });
  expect(await findings()).toEqual([]);
});
