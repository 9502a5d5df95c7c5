import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { MAX_UNFINISHED_JOBS } from '@sightline/core/jobs/job';
import type { AnalyzerStatus, ReportedModel } from '@sightline/core/models/analyzer-status';
import type { ActiveModel } from '@sightline/core/models/model';
import { ModelRegistry } from '@sightline/core/models/model-registry';
import type { DeclaredModel } from '@sightline/core/models/declared-models';
import { FACE_MODEL, warmModel } from '@sightline/core/models/testing/sample-models';
import { activateModel } from '@sightline/core/activation/activate-model';
import { ModelRollout } from '@sightline/core/activation/model-rollout';
import type {
  DesiredSlot,
  RolloutSource,
  SlotOutcome,
} from '@sightline/core/activation/rollout-source';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import {
  faceAt,
  openRecognition,
  type RecognitionFixture,
  visitor,
} from '../../support/fixtures/recognition-fixture.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { createJob, imagesJob } from '../../support/fixtures/seed-jobs.ts';

const NEVER = new AbortController().signal;
const NEXT: ActiveModel = { ...FACE_MODEL, name: 'next', revision: 'a'.repeat(64) };
const DECLARED: DeclaredModel = {
  name: 'next-model',
  packName: NEXT.name,
  task: 'face',
  revision: NEXT.revision,
  needs: NEXT.revision,
  bytes: 7,
  sha256: null,
  progress: null,
  failure: null,
};

const AVAILABLE = { kind: 'available' } as const;
const UNAVAILABLE = { kind: 'unavailable' } as const;

let fixture: RecognitionFixture;
let home: SeededEnvironment;
let route: DesiredSlot;
/** Returns the models that the cluster declares. */
let listed: () => Promise<readonly DeclaredModel[]>;
/** The outcome that the rollout has reported to the cluster last. */
let facts: SlotOutcome | null;
/** The report of the only process with models. */
let status: AnalyzerStatus;
/** Whether the cluster refuses reports. */
let refusesReports: boolean;
/** The clock of the rollout, in ms. */
let now: number;
let rollout: ModelRollout;
let source: RolloutSource;
/** Returns the model of a pack in the model store. */
let described: (revision: string) => Promise<ActiveModel | null>;

beforeEach(async () => {
  fixture = await openRecognition();
  home = await fixture.store.environment();
  fixture.analyzer.facesOf = () => [faceAt(0)];
  route = {
    slot: 'face',
    model: DECLARED,
    availability: AVAILABLE,
    isApproved: true,
    reembed: 'before',
    generation: 1,
    rolledBack: null,
  };
  listed = () => Promise.resolve([DECLARED]);
  facts = null;
  refusesReports = false;
  now = 0;
  described = (revision) => Promise.resolve(revision === NEXT.revision ? NEXT : null);
  status = { ready: true, provider: 'cpu', models: [FACE_MODEL], found: [NEXT], report: [warm()] };
  source = {
    isExclusive: false,
    availableWithinMs: Infinity,
    desired: () => Promise.resolve([route]),
    publish: ({ slots: [outcome] }) => {
      if (refusesReports)
        return Promise.reject(new StoreUnavailable('Kubernetes does not answer.'));
      facts = outcome ?? facts;
      return Promise.resolve();
    },
  };
  const { store } = fixture;
  rollout = new ModelRollout({
    source,
    declared: { models: () => listed() },
    hosts: { statuses: () => Promise.resolve([status]) },
    models: new ModelRegistry(store.models),
    modelStore: store.models,
    activations: store.activations,
    describe: (revision) => described(revision),
    now: () => now,
  });
});
afterEach(async () => {
  await fixture[Symbol.asyncDispose]();
});

function warm(deaths = 0, model = NEXT): ReportedModel {
  return warmModel(model, { deaths });
}

/**
 * A report in which the next model's workers keep dying, while those of the previous model stay
 * alive.
 */
const DYING = [warm(3), warm(0, FACE_MODEL)];

async function activeName(): Promise<string | undefined> {
  const active = await fixture.store.models.active();
  return active.find(({ task }) => task === 'face')?.name;
}

/** Labels a face on an image that the next model has not analyzed. */
async function enroll(): Promise<void> {
  const { faces } = await visitor(fixture.process(), home).detect('photo', { types: 'faces' });
  const id = faces[0]!.detection.id;
  await actOnFace(fixture.process(), {
    scope: home.scope,
    id,
    action: 'relabel',
    target: { label: 'Ann' },
  });
}

const nextRow = async () => (await fixture.store.models.register([NEXT]))[0]!;

test('a requested model waits until it is available, and until a process reports that it holds it', async () => {
  route = { ...route, availability: UNAVAILABLE };
  await rollout.poll(NEVER);
  expect(facts).toMatchObject({ slot: 'face', active: { name: 'faces' }, reembedding: null });
  route = { ...route, availability: AVAILABLE };
  status = { ...status, found: [] };
  await rollout.poll(NEVER);
  expect(await activeName()).toBe(FACE_MODEL.name);
  status = { ...status, found: [NEXT] };
  expect((await rollout.poll(NEVER)).activated).toMatchObject([{ name: 'next' }]);
  expect(facts).toMatchObject({ active: { name: 'next', revision: NEXT.revision } });
});

test('a requested model waits while the available pods no longer have it loaded', async () => {
  status = { ...status, report: [{ ...warm(), state: 'warming' }] };
  await rollout.poll(NEVER);
  expect(await activeName()).toBe(FACE_MODEL.name);
  status = { ...status, report: [warm()] };
  await rollout.poll(NEVER);
  expect(await activeName()).toBe('next');
});

test('nothing is rolled back to a model that no process holds', async () => {
  await rollout.poll(NEVER);
  status = { ...status, models: [NEXT], report: [warm(3)] };
  expect((await rollout.poll(NEVER)).rolledBack).toBeNull();
  expect(await activeName()).toBe('next');
  status = { ...status, report: DYING };
  expect((await rollout.poll(NEVER)).rolledBack).toContain('worker threads died');
  expect(await activeName()).toBe(FACE_MODEL.name);
});

test('a declared model is listed before any process holds it', async () => {
  route = { ...route, model: null };
  status = { ...status, found: [], report: [] };
  await rollout.poll(NEVER);
  const listed = await fixture.store.database.withScope(home.scope, (stores) =>
    stores.models.list({ after: null, limit: 10 }),
  );
  expect(listed.items).toContainEqual(
    expect.objectContaining({ name: 'next', revision: NEXT.revision, status: 'downloaded' }),
  );
});

test('an unavailable model store blocks no requested model', async () => {
  described = () => Promise.reject(new StoreUnavailable('The media store does not answer.'));
  expect((await rollout.poll(NEVER)).activated).toMatchObject([{ name: 'next' }]);
  expect(facts).toMatchObject({ active: { name: 'next' } });
});

test('enrolled faces are embedded by a job first, however many jobs their environment has', async () => {
  await enroll();
  for (let i = 0; i < MAX_UNFINISHED_JOBS; i++) {
    await createJob(fixture.store, home, imagesJob(1));
  }
  await rollout.poll(NEVER);
  expect(await activeName()).toBe(FACE_MODEL.name);
  const { id } = await nextRow();
  const [pending] = await fixture.store.activations.pending();
  expect(pending).toMatchObject({ slot: 'face', modelId: id });
  expect(facts).toMatchObject({ reembedding: { done: 0, total: 0, failed: 0 } });
  // Another poll starts no further activation.
  await rollout.poll(NEVER);
  expect(await fixture.store.activations.pending()).toEqual([pending]);
});

test('a failed job is retried after increasing pauses, and at once for a changed request', async () => {
  const jobsBegun = async () => {
    await fixture.store.query(`UPDATE jobs SET status = 'failed', finished_at = now()`);
    await rollout.poll(NEVER);
    return (await fixture.store.query('SELECT FROM jobs')).length;
  };
  await enroll();
  await rollout.poll(NEVER);
  expect([await jobsBegun(), await jobsBegun()]).toEqual([1, 1]);
  route = { ...route, generation: 2 };
  expect([await jobsBegun(), await jobsBegun()]).toEqual([2, 2]);
  const after = (seconds: number) => {
    now += seconds * 1000;
    return jobsBegun();
  };
  expect([await after(29), await after(1)]).toEqual([2, 3]);
  expect([await after(59), await after(1)]).toEqual([3, 4]);
  for (const pause of [120, 240, 480]) await after(pause);
  expect([await after(599), await after(1), await after(600)]).toEqual([7, 8, 9]);
  route = { ...route, generation: 3 };
  expect([await jobsBegun(), await after(30)]).toEqual([10, 11]);
});

test('a job that a person cancels is not retried until the route changes or the API requests it', async () => {
  const jobs = async () => (await fixture.store.query('SELECT FROM jobs')).length;
  const cancel = async () => {
    const [pending] = await fixture.store.activations.pending();
    await fixture.store.database.withEntities({ ...home.scope, locks: [] }, (tx) =>
      tx.jobs.cancel(pending!.jobId),
    );
    now += 1_000_000;
    await rollout.poll(NEVER);
  };
  await enroll();
  await rollout.poll(NEVER);
  await cancel();
  expect([await jobs(), facts?.rolledBack]).toEqual([1, expect.stringContaining('was cancelled')]);
  // A cancelled model is not activated either if the route asks to embed the faces after the
  // switch.
  route = { ...route, rolledBack: 'this', reembed: 'after' };
  await rollout.poll(NEVER);
  expect(await activeName()).toBe(FACE_MODEL.name);

  const { id: modelId } = await nextRow();
  await fixture.store.activations.begin({ modelId, ...home.scope, reembed: 'before' });
  await rollout.poll(NEVER);
  expect([await jobs(), facts?.rolledBack]).toEqual([2, null]);
  await cancel();
  expect(await jobs()).toBe(2);
  route = { ...route, reembed: 'before', generation: 2, rolledBack: 'previous' };
  await rollout.poll(NEVER);
  expect([await jobs(), facts?.rolledBack]).toEqual([3, null]);
  // The cancellation counts even after the record of the job was deleted.
  route = { ...route, rolledBack: null };
  await cancel();
  route = { ...route, rolledBack: 'this' };
  await fixture.store.query('DELETE FROM jobs');
  await rollout.poll(NEVER);
  expect([await jobs(), facts?.rolledBack]).toEqual([0, expect.stringContaining('was cancelled')]);
});

test('a job that was cancelled before the activation of another model is forgotten', async () => {
  const { id: modelId } = await nextRow();
  const { activations, database, models: modelStore } = fixture.store;
  const begun = await activations.begin({ modelId, ...home.scope, reembed: 'before' });
  const jobId = begun.kind === 'begun' ? begun.jobId : 0;
  await database.withEntities({ ...home.scope, locks: [] }, (tx) => tx.jobs.cancel(jobId));
  expect(await activations.lost()).toMatchObject([{ revision: NEXT.revision, reason: null }]);
  const third = { ...NEXT, name: 'third', revision: 'd'.repeat(64) };
  const [other] = await modelStore.register([third]);
  await modelStore.activate(other!.id);
  expect(await activations.lost()).toEqual([]);
});

test('after means that the switch comes first, Block that a person has to approve', async () => {
  await enroll();
  route = { ...route, isApproved: false };
  await rollout.poll(NEVER);
  expect(await fixture.store.activations.pending()).toEqual([]);
  route = { ...route, isApproved: true, reembed: 'after' };
  await rollout.poll(NEVER);
  expect(await activeName()).toBe('next');
});

test('faces stored with the previous model are backfilled even while the cluster does not answer', async () => {
  await rollout.poll(NEVER);
  await enroll();
  const unavailable = () => Promise.reject(new StoreUnavailable('Kubernetes does not answer.'));
  source = Object.assign(source, { desired: unavailable });
  listed = unavailable;
  const { failure } = await rollout.poll(NEVER);
  expect(failure).toMatchObject({ message: 'Kubernetes does not answer.' });
  const jobs = await fixture.store.query('SELECT type FROM jobs');
  expect(jobs).toEqual([{ type: 'reembed' }]);
});

test('a model that was rolled back is not tried again until the route has changed', async () => {
  await rollout.poll(NEVER);
  status = { ...status, report: DYING };
  const { rolledBack } = await rollout.poll(NEVER);
  expect(rolledBack).toContain('3 worker threads died with the model next');
  expect(facts).toMatchObject({ active: { name: FACE_MODEL.name }, rolledBack });
  status = { ...status, report: [warm()] };
  route = { ...route, rolledBack: 'this' };
  await rollout.poll(NEVER);
  expect(await activeName()).toBe(FACE_MODEL.name);

  // The route has changed, so the rollout activates the model again, but only a minute after the last switch: until
  // then analyses with the other model may still be stored.
  route = { ...route, rolledBack: 'previous' };
  facts = null;
  await rollout.poll(NEVER);
  expect([await activeName(), facts]).toEqual([FACE_MODEL.name, null]);
  await fixture.store.query(`UPDATE activations SET switched_at = now() - interval '61 seconds'`);
  await rollout.poll(NEVER);
  expect([await activeName(), facts]).toMatchObject(['next', { rolledBack: null }]);
});

test('a request written before the previous rollback could be reported is tried', async () => {
  await rollout.poll(NEVER);
  status = { ...status, report: DYING };
  refusesReports = true;
  expect(await rollout.poll(NEVER)).toMatchObject({
    rolledBack: expect.stringContaining('died'),
    failure: { message: 'Kubernetes does not answer.' },
  });
  expect(await activeName()).toBe(FACE_MODEL.name);
  status = { ...status, report: [warm()] };

  // The API server responds again, with a changed route. The rollout activates the model again, but only a minute
  // after the last switch: until then analyses with the other model may still be stored.
  refusesReports = false;
  route = { ...route, generation: 2 };
  facts = null;
  await rollout.poll(NEVER);
  expect([await activeName(), facts]).toEqual([FACE_MODEL.name, null]);
  await fixture.store.query(`UPDATE activations SET switched_at = now() - interval '61 seconds'`);
  await rollout.poll(NEVER);
  expect([await activeName(), facts]).toMatchObject(['next', { generation: 2, rolledBack: null }]);

  // The deaths of workers are counted again for the new request.
  status = { ...status, report: DYING };
  await rollout.poll(NEVER);
  await rollout.poll(NEVER);
  expect(await activeName()).toBe(FACE_MODEL.name);
  expect(facts).toMatchObject({ generation: 2, rolledBack: expect.stringContaining('died') });
});

describe('the job of a requested model', () => {
  const begin = async () => {
    const { environmentId } = home.scope;
    const { id: modelId } = await nextRow();
    await fixture.store.activations.begin({ modelId, environmentId, reembed: 'before' });
    return modelId;
  };

  async function activate(slow: () => Promise<void> = () => Promise.resolve()) {
    const modelId = await begin();
    const process = fixture.process();
    fixture.analyzer.models = [NEXT];
    fixture.analyzer.before = slow;
    return activateModel(
      {
        ...process,
        changeLog: fixture.store.changeLog,
        modelStore: fixture.store.models,
        activations: fixture.store.activations,
        source,
        hosts: { statuses: () => Promise.resolve([status]) },
        concurrency: 1,
      },
      { modelId, reembed: 'before' },
      { signal: NEVER, report: () => Promise.resolve() },
    );
  }

  test('waits until the model is available, and ends when the request is withdrawn', async () => {
    route = { ...route, availability: UNAVAILABLE };
    const taking = sleep(1_000).then(() => (route = { ...route, model: null }));
    await expect(activate()).rejects.toMatchObject({
      code: 'activation_superseded',
      message: 'The route requested no model instead of next before next was active.',
    });
    await taking;
    expect(await activeName()).toBe(FACE_MODEL.name);
  });

  test('waits for the approval, no matter who requested the model', async () => {
    route = { ...route, isApproved: false };
    const taking = sleep(1_000).then(() => (route = { ...route, model: null }));
    await expect(activate()).rejects.toMatchObject({ code: 'activation_superseded' });
    await taking;
    route = { ...route, model: DECLARED, isApproved: true };
    await fixture.store.query(`UPDATE jobs SET status = 'failed', finished_at = now()`);
    await activate();
    expect(await activeName()).toBe('next');
  });

  test('ends half-way when another model is requested', async () => {
    await enroll();
    const slow = async () => {
      route = { ...route, model: { ...DECLARED, name: 'third', revision: 'd'.repeat(64) } };
      await sleep(2_000);
    };
    await expect(activate(slow)).rejects.toMatchObject({ code: 'activation_superseded' });
    expect(await activeName()).toBe(FACE_MODEL.name);
  });

  test('fails with the error of the pods that cannot load the model', async () => {
    const message = 'embedding.onnx is cut off.';
    route = { ...route, availability: { kind: 'failed', message } };
    await expect(activate()).rejects.toMatchObject({
      code: 'model_load_failed',
      message: 'The model next cannot be loaded: embedding.onnx is cut off.',
    });
  });
});
