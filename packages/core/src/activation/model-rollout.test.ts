import type { ReportedModel } from '../models/analyzer-status.ts';
import { beforeEach, expect, test } from '@jest/globals';
import type { NewReembed } from '../jobs/job.ts';
import type { ActiveModel } from '../models/model.ts';
import { ModelRegistry } from '../models/model-registry.ts';
import { type DesiredModels, setsOf } from '../models/desired-models.ts';
import type { ActivateOptions, RegisteredModel } from '../models/model-store.ts';
import { FACE_MODEL, OBJECT_MODEL, warmModel } from '../models/testing/sample-models.ts';
import { DatabaseSource } from './database-source.ts';
import { ModelRollout } from './model-rollout.ts';

const NEXT: ActiveModel = { ...FACE_MODEL, revision: 'a'.repeat(64) };
const NEVER = new AbortController().signal;

let rows: RegisteredModel[];
let active: RegisteredModel[];
/** The models that each process runs; null for a process that is not ready. */
let processes: (readonly ActiveModel[] | null)[];
let jobs: NewReembed[];
let rollout: ModelRollout;
let previous: RegisteredModel[];
let sent: DesiredModels[];
let broughtUp: number[];
let rolledBack: string | null;
/** The number of worker threads that died while they ran the next model. */
let deaths: number;
/** Models that each process has loaded in addition to those that it runs. */
let beside: readonly ActiveModel[];
/** Revisions that no process can obtain. */
let unobtainable: string[];

beforeEach(() => {
  previous = [];
  sent = [];
  broughtUp = [];
  rolledBack = null;
  deaths = 0;
  beside = [];
  unobtainable = [];
  rows = [];
  active = [];
  jobs = [];
  processes = [[FACE_MODEL, OBJECT_MODEL]];
  const modelStore = {
    register: (models: readonly ActiveModel[]) =>
      Promise.resolve(
        models.map((model) => {
          const known = rows.find(
            ({ name, revision }) => name === model.name && revision === model.revision,
          );
          const row = known ?? { ...model, id: rows.length + 1 };
          if (known === undefined) rows.push(row);
          return row;
        }),
      ),
    active: () => Promise.resolve(active),
    roles: () => Promise.resolve({ active, pending: [], previous }),
    activate: (id: number, { jobsFor, ...options }: ActivateOptions = {}) => {
      rolledBack = options.rolledBack ?? null;
      const model = rows.find((row) => row.id === id)!;
      active = [...active.filter(({ task }) => task !== model.task), model];
      const behind = [{ environmentId: 1, images: 2, enrolledImages: 1 }];
      jobs.push(...(jobsFor?.(behind) ?? []));
      return Promise.resolve(true);
    },
    backfill: (behind: { readonly environmentId: number }) => {
      broughtUp.push(behind.environmentId);
      return Promise.resolve();
    },
  };
  rollout = new ModelRollout({
    hosts: {
      statuses: () =>
        Promise.resolve(
          processes.map((models) => ({
            ready: models !== null,
            provider: 'cpu' as const,
            models: models ?? [NEXT],
            report: report(models ?? []),
          })),
        ),
    },
    source: new DatabaseSource({
      hosts: {
        hold: (desired) => {
          sent.push(desired);
          return Promise.resolve();
        },
      },
      provider: () => Promise.resolve('auto'),
    }),
    declared: { models: () => Promise.resolve([]) },
    describe: () => Promise.resolve(null),
    models: new ModelRegistry(modelStore),
    modelStore,
    activations: {
      begin: () => Promise.reject(new Error('No job is begun.')),
      enrolledBehind: () => Promise.resolve([]),
      allowRetry: () => Promise.resolve(true),
      lost: () => Promise.resolve([]),
      pending: () => Promise.resolve([]),
      behindSinceSwitch: () => Promise.resolve(previous.length > 0 ? [7] : []),
      recentSwitch: (slot) =>
        Promise.resolve(
          slot === 'face' && previous.length > 0
            ? {
                modelId: active.find(({ task }) => task === 'face')!.id,
                previousId: previous[0]!.id,
              }
            : null,
        ),
    },
  });
});

/** The report of a process: its models are warm, and the unobtainable ones have failed. */
function report(models: readonly ActiveModel[]): ReportedModel[] {
  const warm = [...models, ...beside].map((model) =>
    warmModel(model, { deaths: model.revision === NEXT.revision ? deaths : 0 }),
  );
  const error = { reason: 'LoadFailed', message: 'It cannot be obtained.' };
  const failed = unobtainable.map((revision) =>
    warmModel({ name: 'deleted', task: 'face', revision }, { state: 'failed', error }),
  );
  return [...warm, ...failed];
}

async function poll(): Promise<readonly string[]> {
  const { activated, failure } = await rollout.poll(NEVER);
  expect(failure).toBeNull();
  return activated.map(({ name }) => name);
}
const activeFace = () => active.find(({ task }) => task === 'face')?.revision;

test('a task gets its first model at once', async () => {
  expect(await poll()).toEqual(['faces', 'objects']);
  expect(activeFace()).toBe(FACE_MODEL.revision);
  expect(await poll()).toEqual([]);
});

test('another model becomes active if all processes run it and none can load the active one', async () => {
  await poll();
  jobs = [];
  unobtainable = [FACE_MODEL.revision];
  processes = [
    [NEXT, OBJECT_MODEL],
    [OBJECT_MODEL, NEXT],
  ];
  expect([await poll(), await poll()]).toEqual([[], []]);
  expect(activeFace()).toBe(FACE_MODEL.revision);
  expect(await poll()).toEqual(['faces']);
  expect(activeFace()).toBe(NEXT.revision);
  expect(jobs).toHaveLength(2);
});

test('the first model of one task does not speed up the replacement of another', async () => {
  processes = [[FACE_MODEL]];
  await poll();
  processes = [[NEXT, OBJECT_MODEL]];
  unobtainable = [FACE_MODEL.revision];
  expect([await poll(), await poll()]).toEqual([['objects'], []]);
  expect(activeFace()).toBe(FACE_MODEL.revision);
  expect(await poll()).toEqual(['faces']);
  expect(activeFace()).toBe(NEXT.revision);
});

test('while processes differ, or none is ready, the previous model stays active', async () => {
  await poll();
  for (const seen of [[[NEXT], [FACE_MODEL]], [null], []]) {
    processes = seen;
    for (let i = 0; i < 5; i++) expect(await poll()).toEqual([]);
  }
  expect(activeFace()).toBe(FACE_MODEL.revision);
});

test('a poll with another result resets the count of polls', async () => {
  await poll();
  for (let i = 0; i < 3; i++) {
    processes = [[NEXT, OBJECT_MODEL]];
    await poll();
    await poll();
    processes = [
      [FACE_MODEL, OBJECT_MODEL],
      [NEXT, OBJECT_MODEL],
    ];
    await poll();
  }
  expect(activeFace()).toBe(FACE_MODEL.revision);
});

test('a process that is not ready is ignored', async () => {
  await poll();
  processes = [[FACE_MODEL, OBJECT_MODEL], null];
  for (let i = 0; i < 5; i++) expect(await poll()).toEqual([]);
});

test('processes that run another model are sent the active one, and it stays active', async () => {
  await poll();
  processes = [[NEXT, OBJECT_MODEL]];
  for (let i = 0; i < 5; i++) expect(await poll()).toEqual([]);
  expect(activeFace()).toBe(FACE_MODEL.revision);
  const sets = [{ face: FACE_MODEL.revision, object: OBJECT_MODEL.revision }];
  expect(setsOf(sent.at(-1)!)).toEqual(sets);
});

test('processes that have the desired models are not sent them again', async () => {
  await poll();
  sent = [];
  await poll();
  expect(sent).toEqual([]);
});

test('faces that were stored with the previous model get jobs', async () => {
  await poll();
  previous = [{ ...NEXT, id: 99 }];
  await poll();
  expect(broughtUp).toEqual([7]);
});

test('a new model whose worker threads die again and again is rolled back', async () => {
  processes = [[NEXT, OBJECT_MODEL]];
  await poll();
  const before = { ...FACE_MODEL, revision: 'b'.repeat(64) };
  previous = [{ ...before, id: 50 }];
  rows.push(previous[0]!);
  deaths = 2;
  await poll();
  expect(activeFace()).toBe(NEXT.revision);
  deaths = 3;
  await poll();
  expect(activeFace()).toBe(NEXT.revision);
  beside = [before];
  const changes = await rollout.poll(NEVER);
  expect(changes.rolledBack).toContain('3 worker threads died');
  expect(rolledBack).toBe(changes.rolledBack);
  expect(activeFace()).toBe(before.revision);
});
