import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openPackStore } from './open-pack-store.ts';

let models: string;
let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'sightline-models-'));
  models = join(parent, 'models');
});

afterEach(() => rm(parent, { recursive: true }));

const NOWHERE = { s3: null, folder: null, reserveBytes: 0 };

test('without a bucket and a data folder there is no store of packs', async () => {
  expect(await openPackStore(NOWHERE)).toBeNull();
});

test('packs are in the data folder, unless there is a bucket', async () => {
  const folder = await openPackStore({ ...NOWHERE, folder: { models } });
  expect(await folder!.readManifest('a'.repeat(64))).toBeNull();
  const s3 = {
    endpoint: new URL('http://127.0.0.1:1'),
    bucket: 'sightline',
    region: 'us-east-1',
    virtualHosts: false,
    keys: () => ({ accessKey: 'a', secretKey: 'b', sessionToken: null }),
  };
  const bucket = await openPackStore({ s3, folder: { models }, reserveBytes: 0 });
  await expect(bucket!.readManifest('a'.repeat(64))).rejects.toThrow('cannot be reached');
  bucket![Symbol.dispose]?.();
});

test('a folder that cannot be used ends the start', async () => {
  await writeFile(models, 'a file');
  await expect(openPackStore({ ...NOWHERE, folder: { models } })).rejects.toThrow(
    `The models in ${models} cannot be used: `,
  );
});
