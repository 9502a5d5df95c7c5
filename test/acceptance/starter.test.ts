import { cp, mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import { describeWithShared } from '../support/gates/describe-with-shared.ts';
import { testInSoak } from '../support/gates/soak.ts';
import { ok } from '../support/services/ok.ts';
import { photo } from '../support/fixtures/photo.ts';
import {
  runStandalone,
  startStandalone,
  type RunningStandalone,
} from '../support/services/running-standalone.ts';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { TOY_PACKS } from '../support/fixtures/toy-packs.ts';
import { toyPacksFolder } from '../support/fixtures/toy-packs-folder.ts';
import { STARTER_CACHE } from '../support/fixtures/starter-cache-folder.ts';
import { describeWithStarter } from '../support/fixtures/starter-cache.ts';

/** A folder that contains only files of the test. */
let folder: string;
/** A cache folder that only this test uses. */
let cache: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-starter-'));
  cache = join(folder, 'cache');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** The settings of `make start` on a new machine, except that the test has a cache folder of its own. */
const fresh = () => ({
  SIGHTLINE_MODELS_DIR: '',
  SIGHTLINE_STARTER: 'auto',
  SIGHTLINE_CACHE: cache,
});

/** The settings of a machine without a network or Python, so that it can reach no source of the face files. */
const offline = () => ({
  ...fresh(),
  HTTPS_PROXY: 'http://127.0.0.1:9',
  PATH: join(folder, 'no-programs'),
});

function messages({ log }: RunningStandalone): string[] {
  return log.map((line) => (JSON.parse(line) as { msg: string }).msg);
}

const FETCHED = 'downloading a model file';
const PREPARED = 'preparing a starter pack';

async function recognizes(client: Client): Promise<void> {
  const known = ok(
    await client.enrollFace({
      body: { name: 'Alejandro', file: await photo('lfw/Alejandro_Toledo_0001.jpg') },
    }),
  );
  const again = await photo('lfw/Alejandro_Toledo_0002.jpg');
  const { faces } = ok(await client.identifyFaces({ body: { file: again } }));
  expect(faces).toMatchObject([{ identity_id: known.identity_id, label: 'Alejandro' }]);
}

describeWithShared('with the starter', () => {
  describeWithStarter('a start without any model', () => {
    test('recognizes people and objects, and takes no network the second time', async () => {
      // The downloaded files exist already, but no packs.
      await cp(join(STARTER_CACHE, 'downloads'), join(cache, 'downloads'), { recursive: true });
      {
        await using first = await startStandalone(offline());
        expect(messages(first)).toContain(PREPARED);
        const { body: health } = await first.client.getHealth();
        expect(health).toMatchObject({
          status: 'ok',
          models: [
            { task: 'face', name: 'starter-faces' },
            { task: 'object', name: 'starter-objects' },
          ],
        });
        const { body: capabilities } = await first.client.getCapabilities();
        expect(capabilities!.models).toMatchObject([
          { license: 'MIT AND Apache-2.0', commercial_use: true },
          {
            license: 'MIT',
            commercial_use: 'unknown',
            commercial_use_reason: expect.stringContaining('has no license'),
          },
        ]);
        await recognizes(first.client);
        const bus = await photo('objects/bus.jpg');
        const { objects } = ok(await first.client.detectObjects({ body: { file: bus } }));
        expect(objects.map(({ class_name }) => class_name)).toContain('bus');
      }
      await rm(join(cache, 'downloads'), { recursive: true });
      await using second = await startStandalone(offline());
      expect(messages(second)).not.toContain(PREPARED);
      expect(messages(second)).not.toContain(FETCHED);
      await recognizes(second.client);
      expect(await readdir(cache)).toEqual(['packs', 'tmp']);
    });

    testInSoak('repairs what is damaged in the cache', async () => {
      // Only these folders are copied, because other suites may be writing other files there.
      for (const kept of ['downloads', 'packs']) {
        await cp(join(STARTER_CACHE, kept), join(cache, kept), { recursive: true });
      }
      for (const name of await readdir(join(cache, 'packs'))) {
        for (const pack of await readdir(join(cache, 'packs', name))) {
          const files = await readdir(join(cache, 'packs', name, pack));
          const model = files.find((file) => file.endsWith('.onnx'))!;
          await truncate(join(cache, 'packs', name, pack, model), 1000);
        }
      }
      await using service = await startStandalone(offline());
      expect(messages(service)).toContain(PREPARED);
      expect(messages(service)).not.toContain(FETCHED);
      await recognizes(service.client);
    });

    test('needs the starter by name where something is there that may have been meant', async () => {
      const models = join(folder, 'models');
      await mkdir(join(models, 'mine'), { recursive: true });
      await writeFile(join(models, 'mine', 'model.onnx'), 'not a model');
      const settings = { ...fresh(), SIGHTLINE_CACHE: STARTER_CACHE, SIGHTLINE_MODELS_DIR: models };
      const { code, stderr } = await runStandalone(settings);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/mine: /) });
      expect(stderr).toContain('SIGHTLINE_FACE_MODEL=starter-faces');
      expect(stderr.trim().split('\n')).toHaveLength(1);
      await using service = await startStandalone({
        ...settings,
        SIGHTLINE_FACE_MODEL: 'starter-faces',
        SIGHTLINE_OBJECT_MODEL: 'starter-objects',
      });
      expect((await service.client.getHealth()).body?.models).toHaveLength(2);
    });
  });

  test('a start where no source has the files serves what there is, and says what is missing', async () => {
    const models = join(folder, 'models');
    await mkdir(models);
    await cp(join(toyPacksFolder(), TOY_PACKS.object), join(models, 'mine'), { recursive: true });
    const settings = { ...offline(), SIGHTLINE_MODELS_DIR: models };
    const { code, stderr } = await runStandalone({
      ...settings,
      SIGHTLINE_FACE_MODEL: 'starter-faces',
    });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^There is no face model: the pack starter-faces/),
    });
    await using service = await startStandalone(settings);
    const sentence = messages(service).find((line) => line.startsWith('There is no face model'));
    expect(sentence).toMatch(/media\.githubusercontent\.com .*; pip .*SIGHTLINE_MODELS_DIR/);
    const { client } = service;
    expect((await client.getHealth()).body).toMatchObject({ models: [{ name: 'mine' }] });
    const file = await drawPhoto({ faces: ['Beatrice'] });
    const refused = await client.detectFaces({ body: { file } });
    expect(refused.problem).toMatchObject({ status: 503, code: 'no_active_model' });
  });
});

describe('without any model that can be had', () => {
  test('the service says so, recognizes nothing and does the rest', async () => {
    // A file in place of the cache folder makes the cache unusable.
    await writeFile(cache, '');
    await using service = await startStandalone(fresh());
    const { client } = service;
    expect((await client.getHealth()).body).toMatchObject({ status: 'degraded', models: [] });
    expect(messages(service)).toContainEqual(
      expect.stringMatching(/^There is no face model: .*ENOTDIR.*: set SIGHTLINE_CACHE to /),
    );
    const image_base64 = Buffer.from('whatever').toString('base64');
    const refused = await client.detectAll({ body: { image_base64 } });
    expect(refused.problem).toMatchObject({ status: 503, code: 'no_active_model' });
    const identity = ok(await client.createIdentity({ body: { label: 'Ann', type: 'face' } }));
    expect(ok(await client.getIdentity({ path: { id: identity.id } }))).toMatchObject({
      label: 'Ann',
    });
    expect(await service.inconsistencies()).toEqual([]);
  });
});
