import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { CONSUMERS } from '@sightline/core/events/event-stream';
import type { JobWork } from '@sightline/core/jobs/job-work';
import { mediaKey } from '@sightline/core/media/media-key';
import { NotFound } from '@sightline/core/store/not-found';
import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import { Spool } from '@sightline/platform/http/spool';
import { createLogger } from '@sightline/platform/logging/logger';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { EmbeddedVectorIndex } from '@sightline/vectors/embedded/embedded-vector-index';
import { AesSecretBox } from '@sightline/composition/secrets/aes-secret-box';
import { createWorkerRole, type WorkerRole } from '@sightline/background/worker/role';
import { endItemLeases } from '../../support/fixtures/end-leases.ts';
import { createJob, endItem, imagesJob } from '../../support/fixtures/seed-jobs.ts';
import { NO_DOWNLOADS } from '../../support/fixtures/no-downloads.ts';
import { NO_INFERENCE } from '../../support/fixtures/no-inference.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let resources: AsyncDisposableStack;
let store: StoreFixture;
let home: SeededEnvironment;
let index: EmbeddedVectorIndex;
let registry: ReturnType<typeof createMetricsRegistry>;

beforeEach(async () => {
  resources = new AsyncDisposableStack();
  store = resources.use(await openStoreFixture());
  home = await store.environment();
  index = resources.use(new EmbeddedVectorIndex());
  await (await index.begin()).publish();
  registry = createMetricsRegistry();
});

afterEach(async () => {
  await resources.disposeAsync();
});

interface Changes {
  readonly vectors?: VectorIndex;
  readonly reprocess?: JobWork<'reprocess'>;
}

const idle: JobWork<'reprocess'> = (_, { end }) => end({});

async function startWorker({
  vectors = index,
  reprocess = idle,
}: Changes = {}): Promise<WorkerRole> {
  const worker = createWorkerRole({
    settingDefaults: {},
    operations: { endpoint: null, serve: () => undefined },
    version: '1.2.3',
    spool: new Spool({ maxBytes: 1024 ** 2, reserveBytes: 0 }),
    secrets: new AesSecretBox(null),
    endpoints: () => [],
    downloads: NO_DOWNLOADS,
    stores: { ...store, indexSource: store.source, vectors },
    inference: { ...NO_INFERENCE, jobConcurrency: 2 },
    works: { reprocess },
    orphanGraceMs: -60_000,
    logger: createLogger({ level: 'silent' }),
    registry,
  });
  resources.use(worker);
  await worker.start(new AbortController().signal);
  return worker;
}

/** Polls until the condition holds. Otherwise the test times out. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

async function metric(line: string): Promise<boolean> {
  return (await registry.metrics()).split('\n').includes(line);
}

/** Whether the task has failed at least once. A retried task may have failed more than once. */
async function hasFailed(task: string): Promise<boolean> {
  const failures = `sightline_background_task_failures_total{task="${task}"} `;
  const lines = (await registry.metrics()).split('\n');
  return lines.some((line) => line.startsWith(failures) && !line.endsWith(' 0'));
}

async function count(table: string): Promise<number> {
  const [row] = await store.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
  return row!.count;
}

const aFace = () => ({ embedding: { modelId: store.faceModelId, vector: direction(10) } });

async function indexedFaces(): Promise<readonly number[]> {
  const { environmentId } = home.scope;
  const space = { environmentId, modelId: store.faceModelId, kind: 'faces', dimension: 2 } as const;
  const entries = await index.list(space, { after: 0, limit: 1000 });
  return entries.map(({ id }) => id);
}

const isDone = async () => (await count("jobs WHERE status IN ('pending', 'running')")) === 0;

test('writes reach the index', async () => {
  const worker = await startWorker();
  expect(await worker.ready()).toBe(true);
  const { ids } = await home.photo([aFace(), aFace()]);
  worker.wake();
  await until(async () => (await indexedFaces()).length === 2);
  expect(await indexedFaces()).toEqual(ids);
  await until(async () => (await store.changeLog.backlog()) === 0);
});

test('an index that was down is retried, and gets what it missed', async () => {
  let isUnavailable = true;
  const upsert: VectorIndex['upsert'] = (...call) =>
    isUnavailable ? Promise.reject(new VectorsUnavailable('unavailable')) : index.upsert(...call);
  const shaky = new Proxy(index, {
    get: (target, name) => {
      if (name === 'upsert') return upsert;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  await home.photo([aFace()]);
  await startWorker({ vectors: shaky });
  await until(() => hasFailed('index_changes'));
  expect(await store.changeLog.backlog()).toBe(1);
  isUnavailable = false;
  await until(async () => (await indexedFaces()).length === 1);
});

test('at the start the index is compared, and drift is repaired and measured', async () => {
  const { ids } = await home.photo([aFace(), aFace()]);
  await store.query('DELETE FROM vector_changes');
  await startWorker();
  await until(async () => (await indexedFaces()).length === 2);
  expect(await indexedFaces()).toEqual(ids);
  await until(() => metric('sightline_vector_index_drift{kind="missing"} 2'));
});

test('old events and answers, orphans and rows of counters are removed', async () => {
  await home.photo([aFace(), aFace()]);
  for (const label of ['Ann', 'Bob', 'Cleo']) await home.identity(label);
  await store.query(`UPDATE outbox SET created_at = now() - interval '8 days'
    WHERE data ->> 'label' = 'Ann'`);
  for (const consumer of CONSUMERS) {
    const consumption = { consumer, consume: () => Promise.resolve() };
    await store.consumers.catchUp(consumption, [home.scope.environmentId]);
  }
  await store.query(
    `INSERT INTO idempotency_keys (environment_id, key, fingerprint, token, lease_until, created_at)
     SELECT $1, 'key ' || days, '\\x00', gen_random_uuid(), moment, moment
     FROM (SELECT days, now() - days * interval '13 hours' AS moment
           FROM generate_series(1, 2) days) AS keys`,
    [home.scope.environmentId],
  );
  const stray = mediaKey(home.scope.environmentId, 'crops', {
    digest: 'ab'.repeat(32),
    extension: 'jpg',
  });
  await store.media.put(stray, Uint8Array.of(1));
  const before = await count('counter_deltas');

  await startWorker();
  await until(() => metric('sightline_orphans_collected_total 1'));
  expect(await store.files(home.scope)).toHaveLength(3);
  await until(async () => (await count('outbox')) === 2);
  await until(async () => (await count('idempotency_keys')) === 1);
  await until(async () => (await count('counter_deltas')) < before);
  expect(await store.maintenance.contradictions()).toEqual([]);
});

test('the items of jobs are worked on, and end with an event', async () => {
  const { id } = await createJob(store, home, imagesJob(3));
  await startWorker({
    reprocess: ({ claim }, { end }) =>
      claim.index < 2
        ? end({ result: claim.index })
        : Promise.reject(new NotFound('source image', 3)),
  });
  await until(isDone);
  expect(await metric('sightline_job_items_ended_total{type="reprocess",outcome="done"} 2')).toBe(
    true,
  );
  const counts = { status: 'done', total: 3, done: 2, failed: 1 };
  expect(await home.events()).toEqual([
    { event: 'job.done', data: { job_id: id, type: 'reprocess', ...counts } },
  ]);
});

test('as many items are worked on as there are slots, and new jobs are found at once', async () => {
  const worker = await startWorker({
    reprocess: async (_, { end }) => {
      atWork++;
      await until(() => Promise.resolve(atWork === 2));
      await end({});
    },
  });
  let atWork = 0;
  await createJob(store, home, imagesJob(2));
  worker.wakeJobs();
  await until(isDone);
});

test('an item that a process left behind is worked on', async () => {
  await createJob(store, home, imagesJob(1));
  const lost = (await store.jobs.claim(['reprocess']))!;
  const seen: number[] = [];
  await startWorker({
    reprocess: ({ deaths }, { end }) => {
      seen.push(deaths);
      return end({});
    },
  });
  await endItemLeases(store);
  await until(isDone);
  expect(seen).toEqual([1]);
  await expect(endItem(store, lost)).rejects.toMatchObject({ name: 'ClaimLost' });
  expect(await home.events()).toHaveLength(1);
});

test('an item is paused while a service that it needs is unavailable', async () => {
  await createJob(store, home, imagesJob(1));
  let isUnavailable = true;
  await startWorker({
    reprocess: (_, { end }) =>
      isUnavailable ? Promise.reject(new VectorsUnavailable('unavailable')) : end({}),
  });
  await until(async () => (await count('jobs WHERE paused_until IS NOT NULL')) === 1);
  isUnavailable = false;
  await until(isDone);
  expect(await home.events()).toMatchObject([{ data: { done: 1 } }]);
});

test('a stop waits for running tasks, and none runs after it', async () => {
  await createJob(store, home, imagesJob(1));
  const steps: string[] = [];
  const worker = await startWorker({
    reprocess: async (_, { signal }) => {
      steps.push('began');
      try {
        await sleep(60_000, undefined, { signal });
      } finally {
        steps.push('stopped');
      }
      throw new Error('not reached');
    },
  });
  await until(() => Promise.resolve(steps.length === 1));
  await worker[Symbol.asyncDispose]();
  expect(steps).toEqual(['began', 'stopped']);
  expect(await worker.ready()).toBe(false);
  // The stopped worker has released the lease, so another process can claim the item at once.
  expect(await store.jobs.claim(['reprocess'])).toMatchObject({ deaths: 0 });
  expect(await hasFailed('run_jobs')).toBe(false);
});
