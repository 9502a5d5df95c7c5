import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { COCO_CLASSES } from '@sightline/core/models/coco-classes';
import { drawPhoto } from '@sightline/test/support/fixtures/draw-photo';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';
import { TOY_WORDS, writeToyWords } from '@sightline/test/support/fixtures/toy-packs';
import sharp from 'sharp';
import { discoverPacks } from '../packs/discover-packs.ts';
import { describePack } from '../packs/describe-pack.ts';
import { openObjectPack } from '../packs/open-pack.ts';
import type { ObjectPipeline } from './object-pipeline.ts';

const SESSION = { provider: 'cpu', intraOpThreads: 1 } as const;
const resources = new AsyncDisposableStack();
afterAll(() => resources.disposeAsync());

async function writtenWords(groupSize?: number): Promise<string> {
  const { path } = resources.use(await temporaryFolder());
  await writeToyWords(path, groupSize);
  return path;
}

async function packOf(folder: string) {
  const { packs, rejected, warnings } = await discoverPacks(folder);
  expect({ rejected, warnings }).toEqual({ rejected: [], warnings: [] });
  return packs[0]!;
}

describe.each([
  ['any number of phrases', undefined],
  ['two phrases at a time', 2],
])('a graph that takes %s', (_, groupSize) => {
  let pipeline: ObjectPipeline;

  beforeAll(async () => {
    const pack = await packOf(await writtenWords(groupSize));
    expect(describePack(pack)).toMatchObject({ task: 'open_vocabulary', classes: TOY_WORDS.own });
    pipeline = resources.use(await openObjectPack(pack, SESSION)).pipeline;
  });

  async function find(vocabulary?: readonly string[], classFilter: readonly string[] = []) {
    const photo = await (await drawPhoto({ objects: ['bus', 'apple', 'broccoli'] })).bytes();
    const { data, info } = await sharp(photo)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const raster = { data, width: info.width, height: info.height };
    const options = { confidenceThreshold: 0.25, classFilter, vocabulary };
    const found = await pipeline.analyze(raster, options, () => undefined);
    return found
      .toSorted((a, b) => a.bbox.x - b.bbox.x)
      .map(({ classId, className, bbox }) => [classId, className, Math.floor(bbox.x / 64)]);
  }

  test('a class is the phrase and its place', async () => {
    expect(await find(['something', 'a green thing', 'the RED one'])).toEqual([
      [2, 'the RED one', 1],
      [1, 'a green thing', 2],
    ]);
  });

  test.each([[undefined], [[]]])('without a vocabulary (%j) it is the own words', async (none) => {
    expect(await find(none)).toEqual([
      [0, 'bus', 0],
      [1, 'apple', 1],
    ]);
  });

  test('the class filter is ignored', async () => {
    expect(await find(['blue'], ['person'])).toEqual([[0, 'blue', 0]]);
  });

  test('phrases of other scripts, and longer ones than a text encoder reads', async () => {
    const phrases = ['茶色い犬 🐕', `red ${'and so on '.repeat(19)}`, `${'x'.repeat(200)} red`];
    expect(await find(phrases)).toEqual([[1, phrases[1], 1]]);
  });

  test('two hundred phrases', async () => {
    const many = Array.from({ length: 199 }, (_, index) => `nothing ${index}`);
    expect(await find([...many, 'blue'])).toEqual([[199, 'blue', 0]]);
  });
});

test('a tokenizer with other bytes is refused', async () => {
  const folder = await writtenWords();
  await writeFile(join(folder, TOY_WORDS.name, 'merges.txt'), 'a b');
  const { rejected } = await discoverPacks(folder);
  expect(rejected).toMatchObject([{ reason: expect.stringMatching(/^merges.txt has the digest/) }]);
});

test('a pack whose tokenizer is missing does not load', async () => {
  const folder = await writtenWords();
  const pack = await packOf(folder);
  await rm(join(folder, TOY_WORDS.name, 'vocab.json'));
  await expect(openObjectPack(pack, SESSION)).rejects.toThrow('vocab.json');
});

test('a folder without a manifest is recognized by its graphs and the names of its tokenizer', async () => {
  const folder = await writtenWords();
  const written = await packOf(folder);
  await rm(join(folder, TOY_WORDS.name, 'manifest.json'));
  const recognized = await packOf(folder);
  expect(recognized.manifest).toMatchObject({ task: 'open_vocabulary', license: 'unknown' });
  const components = written.manifest.components.map((component) =>
    component.role === 'TextEncoder' ? component : { ...component, classes: COCO_CLASSES },
  );
  expect(recognized.manifest.components).toEqual(components);
  await rm(join(folder, TOY_WORDS.name, 'merges.txt'));
  const { rejected } = await discoverPacks(folder);
  expect(rejected).toMatchObject([{ reason: expect.stringContaining('need a manifest.json') }]);
});
