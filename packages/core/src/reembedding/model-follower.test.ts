import { beforeEach, expect, jest, test } from '@jest/globals';
import type { Job, NewJob } from '../jobs/job.ts';
import type { ActiveModel } from '../models/model.ts';
import { ModelRegistry } from '../models/model-registry.ts';
import type { RegisteredModel } from '../models/model-store.ts';
import { FACE_MODEL, OBJECT_MODEL } from '../models/testing/sample-models.ts';
import { ModelFollower } from './model-follower.ts';

const NEXT: ActiveModel = { ...FACE_MODEL, revision: 'a'.repeat(64) };
const NEVER = new AbortController().signal;

let rows: RegisteredModel[];
let active: RegisteredModel[];
/** The models that each process runs; null for one that is not ready. */
let processes: (readonly ActiveModel[] | null)[];
/** Created jobs, and those of them that are not finished. */
let jobs: NewJob[];
let unfinished: NewJob[];
let follower: ModelFollower;

beforeEach(() => {
  rows = [];
  active = [];
  jobs = [];
  unfinished = [];
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
    activate: (id: number, reembedding: readonly NewJob[]) => {
      const model = rows.find((row) => row.id === id)!;
      active = [...active.filter(({ task }) => task !== model.task), model];
      jobs.push(...reembedding);
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
    reembed: {
      environmentsBehind: () =>
        Promise.resolve([{ environmentId: 1, images: 2, enrolledImages: 1 }]),
    },
    jobs: {
      unfinished: () => Promise.resolve(unfinished.map(asJob)),
      create: (job) => {
        jobs.push(job);
        return Promise.resolve(asJob(job));
      },
    },
  });
});

const asJob = (job: NewJob): Job => ({
  ...job,
  id: 1,
  status: 'pending',
  done: 0,
  failed: 0,
  error: null,
  createdAt: new Date(0),
  finishedAt: null,
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

async function pollAMinuteLater(): Promise<void> {
  const now = performance.now();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 60_001);
  try {
    await poll();
    await poll();
  } finally {
    clock.mockRestore();
  }
}

test('a minute later, faces that were stored meanwhile with the previous model get jobs, once', async () => {
  await poll();
  jobs = [];
  await pollAMinuteLater();
  expect(jobs.map(({ params }) => params.faces)).toEqual(['enrolled', 'all']);
});

test('an exchange in between does not take the jobs of the one before', async () => {
  await poll();
  processes = [[FACE_MODEL, { ...OBJECT_MODEL, revision: 'b'.repeat(64) }]];
  for (let i = 0; i < 3; i++) await poll();
  jobs = [];
  await pollAMinuteLater();
  expect(jobs.map(({ params }) => params.faces)).toEqual(['enrolled', 'all']);
});

test('a job that is still unfinished is not created again; one that is missing is created', async () => {
  await poll();
  const [enrolled, all] = jobs;
  unfinished = [
    enrolled!,
    { ...all!, environmentId: 2 },
    { ...all!, params: { ...all!.params, modelId: 99 } },
  ];
  jobs = [];
  await pollAMinuteLater();
  expect(jobs).toEqual([all]);
});
