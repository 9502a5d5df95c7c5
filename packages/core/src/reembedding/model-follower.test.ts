import type { HeldModel } from '../models/analyzer-status.ts';
import { beforeEach, expect, test } from '@jest/globals';
import type { NewReembed } from '../jobs/job.ts';
import type { ActiveModel } from '../models/model.ts';
import { ModelRegistry } from '../models/model-registry.ts';
import type { HostWish } from '../models/model-hosts.ts';
import type { ActivateOptions, RegisteredModel } from '../models/model-store.ts';
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
let previous: RegisteredModel[];
let wishes: HostWish[];
let broughtUp: number[];
let givenWay: string | null;
/** Of worker threads with the next model. */
let deaths: number;
/** Models that each process holds beside those that it runs. */
let beside: readonly ActiveModel[];
/** Revisions that no process can get. */
let unobtainable: string[];

beforeEach(() => {
  previous = [];
  wishes = [];
  broughtUp = [];
  givenWay = null;
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
    activate: (id: number, { jobsFor, gaveWay }: ActivateOptions = {}) => {
      givenWay = gaveWay ?? null;
      const model = rows.find((row) => row.id === id)!;
      active = [...active.filter(({ task }) => task !== model.task), model];
      const behind = [{ environmentId: 1, images: 2, enrolledImages: 1 }];
      jobs.push(...(jobsFor?.(behind) ?? []));
      return Promise.resolve(true);
    },
    bringUp: (behind: { readonly environmentId: number }) => {
      broughtUp.push(behind.environmentId);
      return Promise.resolve();
    },
  };
  follower = new ModelFollower({
    hosts: {
      statuses: () =>
        Promise.resolve(
          processes.map((models) => ({
            ready: models !== null,
            provider: 'cpu' as const,
            models: models ?? [NEXT],
            held: models === null ? undefined : held(models),
          })),
        ),
      hold: (wish) => {
        wishes.push(wish);
        return Promise.resolve();
      },
    },
    provider: () => Promise.resolve('auto'),
    models: new ModelRegistry(modelStore),
    modelStore,
    activations: {
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

/** Those that run are warm; others that were asked for have failed. */
function held(models: readonly ActiveModel[]): HeldModel[] {
  const warm = [...models, ...beside].map(({ name, task, revision }) => ({
    name,
    task,
    revision,
    error: null,
    state: 'warm' as const,
    deaths: revision === NEXT.revision ? deaths : 0,
  }));
  const failed = unobtainable.map((revision) => ({
    name: 'gone',
    task: 'face' as const,
    revision,
    deaths: 0,
    state: 'failed' as const,
    error: 'It cannot be had.',
  }));
  return [...warm, ...failed];
}

const poll = async () => (await follower.poll(NEVER)).activated.map(({ name }) => name);
const activeFace = () => active.find(({ task }) => task === 'face')?.revision;

test('a task gets its first model at once', async () => {
  expect(await poll()).toEqual(['faces', 'objects']);
  expect(activeFace()).toBe(FACE_MODEL.revision);
  expect(await poll()).toEqual([]);
});

test('another model becomes active when all run it and none can have the active one', async () => {
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

test('the first model of one task does not hasten the exchange of another', async () => {
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

test('processes that run another model are told to hold the active one, and it stays active', async () => {
  await poll();
  processes = [[NEXT, OBJECT_MODEL]];
  for (let i = 0; i < 5; i++) expect(await poll()).toEqual([]);
  expect(activeFace()).toBe(FACE_MODEL.revision);
  const sets = [{ face: FACE_MODEL.revision, object: OBJECT_MODEL.revision }];
  expect(wishes.at(-1)).toEqual({ provider: 'auto', sets });
});

test('processes that have what is wished are not told again', async () => {
  await poll();
  wishes = [];
  await poll();
  expect(wishes).toEqual([]);
});

test('what was stored with the model before is brought up while it counts', async () => {
  await poll();
  previous = [{ ...NEXT, id: 99 }];
  await poll();
  expect(broughtUp).toEqual([7]);
});

test('a new model whose worker threads die again and again gives way', async () => {
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
  const { gaveWay } = await follower.poll(NEVER);
  expect(gaveWay).toContain('3 worker threads died');
  expect(givenWay).toBe(gaveWay);
  expect(activeFace()).toBe(before.revision);
});
