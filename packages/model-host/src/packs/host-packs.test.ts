import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { localFileOf } from '@sightline/core/media/testing/local-file-of';
import { discoverPacks } from '@sightline/engine/packs/discover-packs';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import { packFiles } from '@sightline/engine/packs/pack-files';
import { FilePackStore } from '@sightline/media/fs/file-pack-store';
import { createLogger } from '@sightline/platform/logging/logger';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';
import { TOY_PACKS, writeToyPacks } from '@sightline/test/support/fixtures/toy-packs';
import { HostPacks } from './host-packs.ts';

const never = new AbortController().signal;

let resources: AsyncDisposableStack;
let folder: string;
let cache: string;
let store: FilePackStore;
let faces: ModelPack;
let objects: ModelPack;

beforeEach(async () => {
  resources = new AsyncDisposableStack();
  folder = resources.use(await temporaryFolder()).path;
  const models = join(folder, 'models');
  cache = join(folder, 'cache');
  await writeToyPacks(models);
  const { packs } = await discoverPacks(models);
  [faces, objects] = [packs[0]!, packs[1]!];
  store = await FilePackStore.open({ folder: join(folder, 'store') });
});

afterEach(() => resources.disposeAsync());

function hostPacks(packs: readonly ModelPack[], from: FilePackStore | null = store): HostPacks {
  const config = { cache, starter: 'off' as const };
  return new HostPacks({ packs, config, store: from, logger: createLogger({ level: 'silent' }) });
}

async function put(pack: ModelPack, change: (bytes: Buffer, file: string) => Buffer = same) {
  for (const { file, sha256 } of packFiles(pack.manifest)) {
    const bytes = change(await readFile(join(pack.directory, file)), file);
    await store.putFile(sha256, localFileOf(bytes));
  }
  await store.putManifest(pack.revision, JSON.stringify(pack.manifest));
}

const same = (bytes: Buffer) => bytes;
const fetched = () => readdir(join(cache, 'fetched')).catch(() => []);
const temporary = () => readdir(join(cache, 'tmp')).catch(() => []);

test('packs of the models folder are found, and taken from there', async () => {
  const packs = hostPacks([faces, objects]);
  expect(packs.found.map(({ name }) => name)).toEqual([TOY_PACKS.face, TOY_PACKS.object]);
  expect(await packs.find(objects.revision, never)).toBe(objects);
  expect(await fetched()).toEqual([]);
});

test('a pack of the store is fetched once, and found in the cache by the next process', async () => {
  await put(faces);
  const first = await hostPacks([]).find(faces.revision, never);
  expect(first).toMatchObject({ revision: faces.revision, manifest: { name: TOY_PACKS.face } });
  expect(await readFile(join(first!.directory, 'detector.onnx'))).toEqual(
    await readFile(join(faces.directory, 'detector.onnx')),
  );
  await rm(join(folder, 'store'), { recursive: true });
  const later = await hostPacks([], null).find(faces.revision, never);
  expect(later).toEqual(first);
  expect([await fetched(), await temporary()]).toEqual([[faces.revision], []]);
});

test('a damaged copy in the cache is fetched again', async () => {
  await put(faces);
  const first = await hostPacks([]).find(faces.revision, never);
  await writeFile(join(first!.directory, 'detector.onnx'), 'something else');
  expect(await hostPacks([], null).find(faces.revision, never)).toBeNull();
  expect(await hostPacks([]).find(faces.revision, never)).toEqual(first);
});

describe('a fetched pack that is not used', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const inDays = (days: number) => Date.now() + days * DAY_MS;

  beforeEach(async () => {
    await put(faces);
    await hostPacks([]).find(faces.revision, never);
  });

  test('leaves the cache after a week, and can be fetched again', async () => {
    const packs = hostPacks([]);
    await packs.retire([], inDays(0));
    await packs.retire([], inDays(6.9));
    expect(await fetched()).toContain(faces.revision);
    await packs.retire([], inDays(7.1));
    expect([await fetched(), await temporary()]).toEqual([[], []]);
    expect(await packs.find(faces.revision, never)).toMatchObject({ revision: faces.revision });
    expect(await fetched()).toEqual([faces.revision]);
  });

  test('stays while another process that shares the cache has it', async () => {
    const packs = hostPacks([]);
    await packs.retire([], inDays(0));
    await hostPacks([]).retire([faces.revision], inDays(5));
    await packs.retire([], inDays(8));
    expect(await fetched()).toContain(faces.revision);
  });

  test('stays when a process has just found it', async () => {
    const packs = hostPacks([]);
    await packs.retire([], inDays(0));
    await hostPacks([]).find(faces.revision, never);
    await packs.retire([], inDays(8));
    expect(await fetched()).toContain(faces.revision);
  });

  test('stays where it may be the only copy', async () => {
    const { components } = faces.manifest;
    for (const days of [0, 8, 16]) await hostPacks([], null).retire([], inDays(days));
    expect(await fetched()).toEqual([faces.revision]);
    await rm(join(folder, 'store', 'files', components[0]!.sha256));
    for (const days of [0, 8, 16]) await hostPacks([]).retire([], inDays(days));
    expect(await fetched()).toContain(faces.revision);
  });
});

test('a revision that nothing has is not found', async () => {
  expect(await hostPacks([faces]).find('a'.repeat(64), never)).toBeNull();
  expect(await hostPacks([faces], null).find(objects.revision, never)).toBeNull();
});

test.each<[string, () => Promise<unknown>, RegExp]>([
  [
    'a file has other bytes',
    () => put(faces, (bytes) => Buffer.from(bytes).fill(0, 0, 1)),
    /detector\.onnx provided a file with another digest/,
  ],
  [
    'a file is missing',
    () => store.putManifest(faces.revision, JSON.stringify(faces.manifest)),
    /detector\.onnx is missing/,
  ],
  [
    'the manifest is none',
    () => store.putManifest(faces.revision, '{}'),
    /manifest\.json is not a valid manifest/,
  ],
  [
    'the name leads out of the cache',
    () =>
      store.putManifest(faces.revision, JSON.stringify({ ...faces.manifest, name: '../../out' })),
    /has a name that is not valid for a folder/,
  ],
])('a pack is refused if %s, and leaves nothing', async (_, prepare, reason) => {
  await prepare();
  const message = expect.stringMatching(reason);
  await expect(hostPacks([]).find(faces.revision, never)).rejects.toMatchObject({
    code: 'model_load_failed',
    message,
  });
  expect([await fetched(), await temporary()]).toEqual([[], []]);
});

test('a pack is refused that is stored under the revision of another one', async () => {
  await put(faces);
  await store.putManifest(objects.revision, JSON.stringify(faces.manifest));
  await expect(hostPacks([]).find(objects.revision, never)).rejects.toMatchObject({
    message: expect.stringMatching(/does not match its revision/),
  });
  expect(await fetched()).toEqual([]);
});

test('a cache that cannot be used is named', async () => {
  await put(faces);
  await writeFile(cache, 'a file');
  await expect(hostPacks([]).find(faces.revision, never)).rejects.toMatchObject({
    message: expect.stringContaining('SIGHTLINE_CACHE'),
  });
});
