import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { writeToyWords } from '../support/fixtures/toy-packs.ts';
import { ok } from '../support/services/ok.ts';
import { type RunningStandalone, startStandalone } from '../support/services/running-standalone.ts';

const resources = new AsyncDisposableStack();
let service: RunningStandalone;
let client: Client;

beforeAll(async () => {
  const folder = resources.use(await temporaryFolder());
  await writeToyWords(folder.path);
  service = resources.use(await startStandalone({ SIGHTLINE_MODELS_DIR: folder.path }));
  ({ client } = service);
});

afterAll(() => resources.disposeAsync());

const put = (value: unknown, from = client) =>
  from.putSetting({ path: { key: 'object.vocabulary' }, body: { value: value as string[] } });

async function seen(from = client): Promise<readonly (readonly [number, string])[]> {
  const file = await drawPhoto({ objects: ['bus', 'apple'] });
  const { objects } = ok(await from.testImage({ body: { file } }));
  return objects
    .toSorted((a, b) => a.bbox.x - b.bbox.x)
    .map(({ class_id, class_name }) => [class_id, class_name]);
}

test('what is looked for are the words of the pack, until the environment has its own', async () => {
  const { models } = ok(await client.getHealth());
  expect(models).toMatchObject([{ task: 'open_vocabulary', name: 'toy-words' }]);
  expect(await seen()).toEqual([
    [0, 'bus'],
    [1, 'apple'],
  ]);
  const phrases = ['茶色い犬', 'something red', 'a blue thing'];
  ok(await put(phrases));
  expect(await seen()).toEqual([
    [2, 'a blue thing'],
    [1, 'something red'],
  ]);
  ok(await put(null));
  expect(await seen()).toEqual([
    [0, 'bus'],
    [1, 'apple'],
  ]);
});

test('a phrase is the class of what is stored, and the class filter is not for phrases', async () => {
  ok(await put(['Something red']));
  const filter = { path: { key: 'object.class_filter' } } as const;
  ok(await client.putSetting({ ...filter, body: { value: ['person'] } }));
  const file = await drawPhoto({ objects: ['bus', 'apple'] });
  const { objects } = ok(await client.detectObjects({ body: { file } }));
  expect(objects).toMatchObject([{ class_id: 0, class_name: 'Something red' }]);
  ok(await client.putSetting({ ...filter, body: { value: null } }));
});

test('two environments look for different words at the same time', async () => {
  const other = await service.clientOf({ environment: randomUUID(), right: 'full' });
  ok(await put(['red']));
  ok(await put(['nothing', 'blue'], other));
  const answers = await Promise.all([seen(), seen(other), seen(), seen(other)]);
  const [ours, theirs] = [[[0, 'red']], [[1, 'blue']]];
  expect(answers).toEqual([ours, theirs, ours, theirs]);
});

test.each([
  ['a phrase of 300 characters', ['x'.repeat(300)]],
  ['500 phrases', Array.from({ length: 500 }, (_, index) => `phrase ${index}`)],
  ['an empty phrase', ['']],
  ['two lines', ['red\nblue']],
  ['no list', 'red'],
])('refused, and nothing changes: %s', async (_, value) => {
  ok(await put(['red']));
  const { status, problem } = await put(value);
  expect({ status, detail: problem?.detail }).toMatchObject({
    status: 400,
    detail: expect.stringContaining('at most 200 texts of 1 to 200 characters'),
  });
  expect(await seen()).toEqual([[0, 'red']]);
});

test('as many and as long phrases as are allowed', async () => {
  const long = `red ${'🚌'.repeat(196)}`;
  const many = Array.from({ length: 199 }, (_, index) => `phrase ${index}`);
  ok(await put([...many, long]));
  expect(await seen()).toEqual([[199, long]]);
});
