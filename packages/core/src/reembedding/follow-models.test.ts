import { beforeEach, expect, jest, test } from '@jest/globals';
import { FACE_MODEL, OBJECT_MODEL } from '../models/testing/sample-models.ts';
import { ModelFollower } from './follow-models.ts';
import type { ActiveModel } from '../models/model.ts';
import { ModelRegistry } from '../models/model-registry.ts';
import type { RegisteredModel } from '../models/model-store.ts';

const NEXT: ActiveModel = { ...FACE_MODEL, revision: 'a'.repeat(64) };
const NEVER = new AbortController().signal;

let rows: RegisteredModel[];
let active: RegisteredModel[];
/** What each process runs; those that are not ready come with a null. */
let processes: (readonly ActiveModel[] | null)[];
let jobs: unknown[];
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
    activate: (task: ActiveModel['task'], id: number) => {
      active = [...active.filter((row) => row.task !== task), rows.find((row) => row.id === id)!];
      return Promise.resolve();
    },
  };
  follower = new ModelFollower({
    statuses: () =>
      Promise.resolve(
        processes.map((models) => ({
          ...{ ready: models !== null, provider: 'cpu' as const, models: models ?? [NEXT] },
        })),
      ),
    models: new ModelRegistry(modelStore),
    modelStore,
    reembed: {
      environmentsBehind: () =>
        Promise.resolve([{ environmentId: 1, images: 2, enrolledImages: 1 }]),
    },
    jobs: {
      unfinished: () => Promise.resolve([]),
      create: (job) => {
        jobs.push(job);
        return Promise.resolve(jobs.length as never);
      },
    },
  });
});

const look = async () => (await follower.look(NEVER)).map(({ name }) => name);
const activeFace = () => active.find(({ task }) => task === 'face')?.revision;

test('a task gets its first model at once', async () => {
  expect(await look()).toEqual(['faces', 'objects']);
  expect(activeFace()).toBe(FACE_MODEL.revision);
  expect(await look()).toEqual([]);
});

test('another model becomes the active one when all have agreed three times', async () => {
  await look();
  jobs = [];
  processes = [
    [NEXT, OBJECT_MODEL],
    [OBJECT_MODEL, NEXT],
  ];
  expect([await look(), await look()]).toEqual([[], []]);
  expect(activeFace()).toBe(FACE_MODEL.revision);
  expect(await look()).toEqual(['faces']);
  expect(activeFace()).toBe(NEXT.revision);
  expect(jobs).toHaveLength(2);
});

test('while they differ, or nobody is ready, the one before stays', async () => {
  await look();
  for (const seen of [[[NEXT], [FACE_MODEL]], [null], []]) {
    processes = seen;
    for (let i = 0; i < 5; i++) expect(await look()).toEqual([]);
  }
  expect(activeFace()).toBe(FACE_MODEL.revision);
});

test('a look in between that sees something else begins the count anew', async () => {
  await look();
  for (let i = 0; i < 3; i++) {
    processes = [[NEXT, OBJECT_MODEL]];
    await look();
    await look();
    processes = [
      [FACE_MODEL, OBJECT_MODEL],
      [NEXT, OBJECT_MODEL],
    ];
    await look();
  }
  expect(activeFace()).toBe(FACE_MODEL.revision);
});

test('a process that is not ready has no say', async () => {
  await look();
  processes = [[FACE_MODEL, OBJECT_MODEL], null];
  for (let i = 0; i < 5; i++) expect(await look()).toEqual([]);
});

test('a minute after, faces that came meanwhile with the model before get jobs, once', async () => {
  await look();
  jobs = [];
  const now = performance.now();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 60_001);
  try {
    await look();
    await look();
  } finally {
    clock.mockRestore();
  }
  expect(jobs).toHaveLength(2);
});
