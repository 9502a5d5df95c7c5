import { beforeEach, expect, test } from '@jest/globals';
import type { NewReembed } from '../jobs/job.ts';
import type { ActiveModel } from '../models/model.ts';
import { ModelRegistry } from '../models/model-registry.ts';
import type { JobsForBehind, RegisteredModel } from '../models/model-store.ts';
import { FACE_MODEL, OBJECT_MODEL } from '../models/testing/sample-models.ts';
import { ModelFollower } from './model-follower.ts';

const NEXT: ActiveModel = { ...FACE_MODEL, revision: 'a'.repeat(64) };
const NEVER = new AbortController().signal;

let rows: RegisteredModel[];
let active: RegisteredModel[];
/** The models that each process runs; null for one that is not ready. */
let processes: (readonly ActiveModel[] | null)[];
/** That were created. */
let jobs: NewReembed[];
let follower: ModelFollower;

beforeEach(() => {
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
    activate: (id: number, jobsFor?: JobsForBehind) => {
      const model = rows.find((row) => row.id === id)!;
      active = [...active.filter(({ task }) => task !== model.task), model];
      const behind = [{ environmentId: 1, images: 2, enrolledImages: 1 }];
      jobs.push(...(jobsFor?.(behind) ?? []));
      return Promise.resolve();
    },
  };
  follower = new ModelFollower({
    statuses: () =>
      Promise.resolve(
        processes.map((models) => ({
          ready: models !== null,
          provider: 'cpu' as const,
          models: models ?? [NEXT],
        })),
      ),
    models: new ModelRegistry(modelStore),
    modelStore,
  });
});

const poll = async () => (await follower.poll(NEVER)).map(({ name }) => name);
const activeFace = () => active.find(({ task }) => task === 'face')?.revision;

test('a task gets its first model at once', async () => {
  expect(await poll()).toEqual(['faces', 'objects']);
  expect(activeFace()).toBe(FACE_MODEL.revision);
  expect(await poll()).toEqual([]);
});

test('another model becomes the active one when all have agreed three times', async () => {
  await poll();
  jobs = [];
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

test('the first model of one task does not hasten the exchange of another', async () => {
  processes = [[FACE_MODEL]];
  await poll();
  processes = [[NEXT, OBJECT_MODEL]];
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

test('a poll in between with another result starts the count again', async () => {
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

test('a process that is not ready does not count', async () => {
  await poll();
  processes = [[FACE_MODEL, OBJECT_MODEL], null];
  for (let i = 0; i < 5; i++) expect(await poll()).toEqual([]);
});
