import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { FileRefused } from '@sightline/engine/onnx/file-refused';
import { handMadeModel } from '@sightline/engine/onnx/testing/hand-made-model';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import { CacheFolder } from '@sightline/model-downloads/cache-folder';
import type { ModelFile } from '@sightline/model-downloads/model-file';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';
import { type InstallDeps, installStarter } from './install-starter.ts';
import type { StarterPack } from './starter-pack.ts';
import { STARTER_PACKS } from './starter-packs.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const PREPARED = handMadeModel({ inputs: { images: [1, 3, 64, 64] }, outputs: { found: [1, 6] } });
const GRAPH = Buffer.from('a graph');
const WEIGHTS = Buffer.from('its weights');

function published(name: string, bytes: Buffer): ModelFile {
  return { name, sha256: sha256(bytes), bytes: bytes.length, sources: [] };
}

function thePack(changes: Partial<StarterPack['manifest']> = {}, made = PREPARED): StarterPack {
  return {
    manifest: {
      name: 'things',
      task: 'object',
      version: '1',
      license: 'MIT',
      commercial_use: true,
      provides: [],
      components: [
        {
          role: 'ObjectDetector',
          architecture: 'yolov8',
          file: 'net.onnx',
          sha256: sha256(PREPARED),
          input: { width: 64, height: 64 },
          mean: [0, 0, 0],
          std: [1, 1, 1],
          color_order: 'rgb',
        },
      ],
      ...changes,
    },
    parts: [
      {
        file: 'net.onnx',
        published: [published('graph.json', GRAPH), published('weights.bin', WEIGHTS)],
        prepare: (graph, weights) => {
          expect([graph, weights]).toEqual([GRAPH, WEIGHTS]);
          return made;
        },
      },
    ],
  };
}

let cache: string;
let asked: string[];

beforeEach(() => {
  asked = [];
});

async function withCache(use: () => Promise<void>): Promise<void> {
  await using folder = await temporaryFolder();
  cache = join(folder.path, 'cache');
  await writeFile(join(folder.path, 'graph.json'), GRAPH);
  await writeFile(join(folder.path, 'weights.bin'), WEIGHTS);
  await use();
}

function install(
  pack = thePack(),
  {
    signal = new AbortController().signal,
    ...deps
  }: Partial<InstallDeps & { signal: AbortSignal }> = {},
): Promise<ModelPack> {
  const files: InstallDeps['files'] = {
    get: ({ name }) => {
      asked.push(name);
      return Promise.resolve(join(cache, '..', name));
    },
  };
  const all = { cache: new CacheFolder(cache), files, onPrepare: () => undefined, ...deps };
  return installStarter(pack, all, signal);
}

const list = (folder: string) => readdir(join(cache, folder)).catch(() => []);

describe('a starter pack', () => {
  test('is created once, and then found in the cache', () =>
    withCache(async () => {
      const pack = await install();
      expect(pack.manifest).toMatchObject({ name: 'things', version: '1' });
      expect((await readFile(join(pack.directory, 'net.onnx'))).equals(PREPARED)).toBe(true);
      expect(asked).toEqual(['graph.json', 'weights.bin']);
      expect(await install()).toEqual(pack);
      expect(asked).toHaveLength(2);
      expect(await list('tmp')).toEqual([]);
    }));

  test('of another version of Sightline has its own cache entry', () =>
    withCache(async () => {
      const before = await install();
      const after = await install(thePack({ version: '2' }));
      expect(after.directory).not.toBe(before.directory);
      expect(await install()).toEqual(before);
      expect(await list('packs')).toHaveLength(2);
    }));

  test.each<[string, (directory: string) => Promise<void>]>([
    ['a changed file', (at) => writeFile(join(at, 'net.onnx'), 'other bytes')],
    ['a missing file', (at) => rm(join(at, 'net.onnx'))],
    ['no manifest', (at) => rm(join(at, 'manifest.json'))],
    [
      'a changed manifest',
      async (at) => {
        const text = await readFile(join(at, 'manifest.json'), 'utf8');
        await writeFile(join(at, 'manifest.json'), text.replace('"rgb"', '"bgr"'));
      },
    ],
    [
      'a file instead of the folder',
      async (at) => {
        await rm(join(at, '..'), { recursive: true });
        await writeFile(join(at, '..'), '');
      },
    ],
  ])('with %s is created again', (_, damage) =>
    withCache(async () => {
      const pack = await install();
      await damage(pack.directory);
      expect(await install()).toEqual(pack);
      expect((await readFile(join(pack.directory, 'net.onnx'))).equals(PREPARED)).toBe(true);
      expect(asked).toHaveLength(4);
      expect(await list('tmp')).toEqual([]);
    }),
  );

  test('is created by several processes at once', () =>
    withCache(async () => {
      const packs = await Promise.all(Array.from({ length: 4 }, () => install()));
      for (const pack of packs) expect(pack).toEqual(packs[0]);
      expect(await list('tmp')).toEqual([]);
      expect(await list('packs')).toHaveLength(1);
    }));

  test('with an unexpected digest is refused, and leaves no files', () =>
    withCache(async () => {
      const other = handMadeModel({ inputs: { images: [1] }, outputs: {} });
      await expect(install(thePack({}, other))).rejects.toMatchObject({
        name: 'PreparationFailed',
        message: `net.onnx was prepared with the digest ${sha256(other)} instead of ${sha256(PREPARED)}`,
      });
      expect([await list('packs'), await list('tmp')]).toEqual([[], []]);
    }));

  test('that cannot be prepared is refused with the reason', () =>
    withCache(async () => {
      const pack = thePack();
      const part = {
        ...pack.parts[0]!,
        prepare: () => {
          throw new FileRefused('uses an operator that is not supported');
        },
      };
      await expect(install({ ...pack, parts: [part] })).rejects.toMatchObject({
        name: 'PreparationFailed',
        message: 'net.onnx cannot be prepared: it uses an operator that is not supported',
      });
    }));

  test('leaves no files after an aborted start', () =>
    withCache(async () => {
      const stop = new AbortController();
      const reason = new Error('SIGTERM was received.');
      const onPrepare = () => stop.abort(reason);
      await expect(install(thePack(), { onPrepare, signal: stop.signal })).rejects.toBe(reason);
      expect([await list('packs'), await list('tmp')]).toEqual([[], []]);
    }));

  test('reports published files that disappear before they are prepared', () =>
    withCache(async () => {
      const files: InstallDeps['files'] = {
        get: ({ name }) => Promise.resolve(`${cache}/${name}`),
      };
      await expect(install(thePack(), { files })).rejects.toMatchObject({
        name: 'CacheUnusable',
        message: `the cache ${cache} cannot be used (ENOENT)`,
      });
      expect([await list('packs'), await list('tmp')]).toEqual([[], []]);
    }));

  test('reports a cache that cannot be written', () =>
    withCache(async () => {
      await mkdir(join(cache, '..'), { recursive: true });
      await writeFile(cache, 'a file');
      await expect(install()).rejects.toMatchObject({ name: 'CacheUnusable' });
    }));
});

test.each(Object.values(STARTER_PACKS))(
  'the source files of every component of $manifest.name are published',
  ({ manifest, parts }) => {
    expect(parts.map(({ file }) => file)).toEqual(manifest.components.map(({ file }) => file));
    for (const file of parts.flatMap((part) => part.published)) {
      expect(file.sources.length).toBeGreaterThan(0);
    }
  },
);
