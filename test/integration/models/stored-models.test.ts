import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { FetchProgress, ModelFacts, PublishedFile } from '@sightline/core/models/model-source';
import type { PackStore } from '@sightline/core/models/pack-store';
import { parseManifest } from '@sightline/engine/packs/manifest';
import { packRevision } from '@sightline/engine/packs/revision';
import { FilePackStore } from '@sightline/media/fs/file-pack-store';
import { openStoredModels } from '@sightline/model-downloads/published/open-stored-models';
import type { StoredModels } from '@sightline/model-downloads/published/stored-models';
import { digestOf } from '@sightline/model-downloads/testing/published-server';
import { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import { type RawEntry, rawZip } from '@sightline/archive-zip/zip-reading/testing/raw-zip';
import { toyPacksFolder } from '../../support/fixtures/toy-packs-folder.ts';
import { TOY_PACKS } from '../../support/fixtures/toy-packs.ts';

const NAME = TOY_PACKS.face;
const FACTS: ModelFacts = {
  version: '7',
  license: 'Research-Only',
  commercialUse: 'unknown',
  commercialUseReason: null,
};
const PUBLISHED = { name: NAME, task: 'face', facts: FACTS } as const;

let folder: string;
let store: FilePackStore;
let models: StoredModels;
let http: GuardedFetch;
let pack: ReadonlyMap<string, Buffer>;
let progress: FetchProgress[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-models-'));
  store = await FilePackStore.open({ folder: join(folder, 'models') });
  http = new GuardedFetch({ ownEndpoints: () => [] });
  pack = await readPack();
  progress = [];
  models = open({});
});

afterEach(async () => {
  await http[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function open({
  into = store,
  free = Infinity,
}: {
  readonly into?: PackStore;
  readonly free?: number;
}): StoredModels {
  return openStoredModels({
    store: into,
    cache: join(folder, 'cache'),
    sources: { http, reach: 'public', mirror: null, filesFolder: folder, openObject: null },
    reserveBytes: 1000,
    freeBytesOf: () => Promise.resolve(free),
  });
}

async function readPack(): Promise<Map<string, Buffer>> {
  const directory = join(toyPacksFolder(), NAME);
  const files = new Map<string, Buffer>();
  for (const name of (await readdir(directory)).sort()) {
    files.set(name, await readFile(join(directory, name)));
  }
  return files;
}

const options = () => ({
  onProgress: (each: FetchProgress) => progress.push(each),
  signal: new AbortController().signal,
});

const published = async (name: string, bytes: Uint8Array): Promise<PublishedFile> => {
  const address = join(folder, name);
  await writeFile(address, bytes);
  return { address, sha256: null, bytes: null };
};

async function fetchZip(entries: readonly RawEntry[], from = models) {
  const files = [await published('pack.zip', rawZip(entries))];
  return from.fetch({ ...PUBLISHED, files }, options());
}

/** The pack as the entries of a ZIP file. */
function entriesOf(prefix = ''): RawEntry[] {
  return [...pack].map(([name, data]) => ({ name: prefix + name, data, isDeflated: true }));
}

async function expectStored(revision: string): Promise<void> {
  const manifest = parseManifest((await store.readManifest(revision))!);
  expect(packRevision(manifest.components)).toBe(revision);
  for (const { file, sha256 } of manifest.components) {
    const found = await store.openFile(sha256);
    const bytes = Buffer.concat(await Array.fromAsync(found!.body));
    expect(digestOf(bytes)).toBe(digestOf(pack.get(file)!));
  }
  expect(await models.verify(revision, options())).toBe(true);
}

async function expectNothingLeft(): Promise<void> {
  expect(await Array.fromAsync(store.list())).toEqual([]);
  const left = await readdir(join(folder, 'cache', 'tmp')).catch(() => []);
  expect(left).toEqual([]);
}

describe('a pack', () => {
  test.each(['', 'toy-faces/', 'some-folder/deep/'])(
    'in the folder %j of a ZIP file comes into the store',
    async (prefix) => {
      const others = [{ name: 'README.md', data: Buffer.from('words') }, { name: 'docs/' }];
      const { model, bytes, warnings } = await fetchZip([...others, ...entriesOf(prefix)]);
      expect(model).toMatchObject({ name: NAME, task: 'face' });
      expect(bytes).toBeGreaterThan(1000);
      expect(warnings).toEqual([]);
      await expectStored(model.revision);
      expect(await readdir(join(folder, 'cache', 'tmp'))).toEqual([]);
      expect(progress.at(-1)!.received).toBeGreaterThanOrEqual(bytes);
    },
  );

  test('as files of its own comes into the store, and again', async () => {
    const files = [];
    for (const [name, bytes] of pack) files.push(await published(name, bytes));
    const first = await models.fetch({ ...PUBLISHED, files }, options());
    const again = await models.fetch({ ...PUBLISHED, files }, options());
    expect(again.model).toEqual(first.model);
    const total = [...pack.values()].reduce((sum, { length }) => sum + length, 0);
    expect(first.bytes).toBe(total);
    expect(progress.at(-1)).toEqual({ received: total, total });
    await expectStored(first.model.revision);
  });

  test('without a manifest gets the facts that are published', async () => {
    const { model } = await fetchZip(entriesOf());
    expect(model).toMatchObject({
      version: '7',
      license: 'Research-Only',
      commercialUse: 'unknown',
      commercialUseReason: expect.stringContaining('no manifest'),
    });
    await expectStored(model.revision);
  });

  test('that is damaged or missing in the store is found out', async () => {
    const { model } = await fetchZip(entriesOf());
    const { components } = parseManifest((await store.readManifest(model.revision))!);
    const { sha256 } = components[0]!;
    await writeFile(join(folder, 'models', 'files', sha256), 'other bytes');
    expect(await models.verify(model.revision, options())).toBe(false);
    await rm(join(folder, 'models', 'files', sha256));
    expect(await models.verify(model.revision, options())).toBe(false);
    expect(await models.verify('a'.repeat(64), options())).toBe(false);
    await fetchZip(entriesOf());
    expect(await models.verify(model.revision, options())).toBe(true);
  });
});

const MODEL = { name: 'a.onnx', data: Buffer.from('a model') };

test.each<[string, readonly RawEntry[], RegExp]>([
  ['climbs out', [{ ...MODEL, name: '../a.onnx' }], /plain relative path/],
  ['has an absolute name', [{ ...MODEL, name: '/tmp/a.onnx' }], /plain relative path/],
  ['has a link', [{ ...MODEL, claims: { mode: 0o120777 } }], /is a link/],
  ['has a name twice', [MODEL, MODEL], /occurs twice/],
  ['is encrypted', [{ ...MODEL, isDeflated: true, claims: { flags: 1 } }], /is encrypted/],
  [
    'is a bomb',
    [{ name: 'a.onnx', data: Buffer.alloc(4 * 1024 ** 2), isDeflated: true }],
    /1\/200 of its size/,
  ],
  [
    'is a bomb by its claims',
    [{ ...MODEL, claims: { packedSize: 4_000_000_000, size: 4_000_000_000 } }],
    /contents exceed 2147483647 bytes/,
  ],
  [
    'has too many entries',
    Array.from({ length: 101 }, (_, at) => ({ name: `${at}.onnx` })),
    /too many entries/,
  ],
  [
    'has models in several folders',
    [
      { ...MODEL, name: 'a/a.onnx' },
      { ...MODEL, name: 'b/a.onnx' },
    ],
    /several folders/,
  ],
  ['has a damaged entry', [{ ...MODEL, claims: { crc: 5 } }], /is damaged/],
  ['has no model', [{ name: 'README.md', data: Buffer.from('words') }], /neither a manifest/],
  ['has what is no model', [MODEL], /a\.onnx/],
])('a ZIP file that %s is refused, and nothing stays', async (_, entries, reason) => {
  const failing = fetchZip(entries);
  await expect(failing).rejects.toThrow(reason);
  await expect(failing).rejects.toMatchObject({ name: 'ModelFetchFailed' });
  await expectNothingLeft();
});

/** The pack with its manifest from the store, and with changed facts. */
async function entriesWithManifest(): Promise<RawEntry[]> {
  const { model } = await fetchZip(entriesOf());
  const manifest = JSON.parse((await store.readManifest(model.revision))!);
  await rm(join(folder, 'models', 'manifests', `${model.revision}.json`));
  const data = Buffer.from(JSON.stringify({ ...manifest, license: 'MIT', commercial_use: true }));
  return [{ name: 'manifest.json', data }, ...entriesOf()];
}

test('a manifest among the files has the last word', async () => {
  const { model } = await fetchZip(await entriesWithManifest());
  expect(model).toMatchObject({ name: NAME, license: 'MIT', commercialUse: true });
});

test('a manifest that names another digest than its file has is refused', async () => {
  const entries = await entriesWithManifest();
  const changed = entries.map((entry) =>
    entry.name.endsWith('.onnx') ? { ...entry, data: MODEL.data } : entry,
  );
  await expect(fetchZip(changed)).rejects.toThrow(/has the digest [0-9a-f]{64} instead of/);
  await expectNothingLeft();
});

test('a pack of another task is refused', async () => {
  const files = [await published('pack.zip', rawZip(entriesOf()))];
  await expect(models.fetch({ ...PUBLISHED, task: 'object', files }, options())).rejects.toThrow(
    'provided a pack of the task face instead of object.',
  );
  await expectNothingLeft();
});

test('a file that is no part of a pack is refused', async () => {
  const files = [await published('model.txt', Buffer.from('words'))];
  await expect(models.fetch({ ...PUBLISHED, files }, options())).rejects.toThrow(
    'The file provided neither a ZIP nor an ONNX file.',
  );
  await expectNothingLeft();
});

test.each(['', '..', 'a/b', '.hidden', 'a'.repeat(101)])(
  '%j is not a valid name of a pack',
  async (name) => {
    const files = [await published('pack.zip', rawZip(entriesOf()))];
    await expect(models.fetch({ ...PUBLISHED, name, files }, options())).rejects.toThrow(
      'letters, digits',
    );
  },
);

test('a lack of disk space for the download or its contents is reported', async () => {
  await expect(fetchZip(entriesOf(), open({ free: 900 }))).rejects.toThrow(
    /The disk has no space for \d+ more bytes of the model: 1000 bytes must stay free\./,
  );
  expect(await Array.fromAsync(store.list())).toEqual([]);
});

test('an error of the store is passed on, and the next call needs no download', async () => {
  const failing: PackStore = {
    hasFile: (...args) => store.hasFile(...args),
    openFile: (...args) => store.openFile(...args),
    putFile: (...args) => store.putFile(...args),
    readManifest: (...args) => store.readManifest(...args),
    list: (...args) => store.list(...args),
    entries: (...args) => store.entries(...args),
    ageOf: (...args) => store.ageOf(...args),
    remove: (...args) => store.remove(...args),
    putManifest: () => Promise.reject(new Error('The store is unavailable.')),
  };
  await expect(fetchZip(entriesOf(), open({ into: failing }))).rejects.toThrow('is unavailable');
  expect(await Array.fromAsync(store.list())).toEqual([]);
  progress = [];
  const { model, bytes } = await fetchZip(entriesOf());
  expect(progress).toEqual([{ received: bytes, total: bytes }]);
  await expectStored(model.revision);
});
