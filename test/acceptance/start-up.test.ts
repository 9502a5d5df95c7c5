import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { runStandalone, startStandalone } from '../support/services/running-standalone.ts';
import { preparedData } from '../support/fixtures/temporary-data.ts';
import { TOY_PACKS } from '../support/fixtures/toy-packs.ts';
import { toyPacksFolder } from '../support/fixtures/toy-packs-folder.ts';

/** Expects that a start fails with one sentence on stderr, without a stack, and exits with 1. */
async function expectRefusal(settings: Record<string, string>, sentence: RegExp): Promise<void> {
  const { code, stderr } = await runStandalone(settings);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(sentence) });
  expect(stderr).not.toContain('    at ');
}

describe('a start that cannot succeed', () => {
  let empty: string;

  beforeAll(async () => {
    empty = await mkdtemp(join(tmpdir(), 'sightline-models-'));
  });

  afterAll(() => rm(empty, { recursive: true }));

  test('names a wrong setting', async () => {
    await expectRefusal({ SIGHTLINE_PORT: 'eighty' }, /SIGHTLINE_PORT/);
  });

  test('says that no folder of models was given, and how to give one, if the starter is off', async () => {
    await expectRefusal({ SIGHTLINE_MODELS_DIR: '' }, /SIGHTLINE_MODELS_DIR/);
  });

  test.each(['auto', 'off'])(
    'says that a folder of models that was given is not there (starter: %s)',
    async (starter) => {
      const nowhere = join(empty, 'nowhere');
      const settings = { SIGHTLINE_STARTER: starter, SIGHTLINE_MODELS_DIR: nowhere };
      await expectRefusal(settings, /nowhere cannot be read \(ENOENT\)\. Set SIGHTLINE_MODELS_DIR/);
    },
  );

  test('says what to do about the name of a pack where there is none', async () => {
    const settings = { SIGHTLINE_STARTER: 'auto', SIGHTLINE_MODELS_DIR: empty };
    await expectRefusal(
      { ...settings, SIGHTLINE_FACE_MODEL: 'starter' },
      /^There is no face model named "starter"; available: none\. Leave SIGHTLINE_FACE_MODEL unset\.\n$/,
    );
  });

  test('says why a folder holds no usable model', async () => {
    await mkdir(join(empty, 'notes'));
    await writeFile(join(empty, 'notes', 'readme.txt'), 'no model');
    await expectRefusal({ SIGHTLINE_MODELS_DIR: empty }, /no usable model/i);
  });

  test('prints every setting with --help and ends well', async () => {
    const { code, stdout } = await runStandalone({}, ['--help']);
    expect(code).toBe(0);
    for (const name of ['SIGHTLINE_HOST', 'SIGHTLINE_MODELS_DIR', 'SIGHTLINE_OPS_PORT']) {
      expect(stdout).toContain(name);
    }
  });
});

describe('a start with models', () => {
  test('ends with one sentence where the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await using data = await preparedData();
    const settings = { SIGHTLINE_DATA: data.path };
    try {
      await expectRefusal(
        { ...settings, SIGHTLINE_PORT: String(port) },
        new RegExp(`${port}.*SIGHTLINE_PORT`, 's'),
      );
      await expectRefusal({ ...settings, SIGHTLINE_OPS_PORT: String(port) }, new RegExp(`${port}`));
    } finally {
      other.close();
    }
  });

  test('names the candidates where a model has to be chosen', async () => {
    const models = await mkdtemp(join(tmpdir(), 'sightline-models-'));
    try {
      await cp(join(toyPacksFolder(), TOY_PACKS.face), join(models, 'first'), { recursive: true });
      await cp(join(toyPacksFolder(), TOY_PACKS.face), join(models, 'second'), { recursive: true });
      await expectRefusal({ SIGHTLINE_MODELS_DIR: models }, /first, second.*SIGHTLINE_FACE_MODEL/s);
      await expectRefusal(
        { SIGHTLINE_MODELS_DIR: models, SIGHTLINE_FACE_MODEL: 'third' },
        /third.*first.*second/s,
      );
      await using service = await startStandalone({
        SIGHTLINE_MODELS_DIR: models,
        SIGHTLINE_FACE_MODEL: 'second',
      });
      const { client } = service;
      const { body } = await client.getHealth();
      expect(body).toMatchObject({ status: 'ok', models: [{ task: 'face', name: 'second' }] });
      const file = await drawPhoto({ faces: ['Beatrice'] });
      const answer = await client.testImage({ body: { file } });
      expect(answer.body).toMatchObject({
        counts: { faces: 1, objects: 0 },
        available: { faces: true, objects: false },
      });
    } finally {
      await rm(models, { recursive: true });
    }
  });

  test('warns of a folder that is no pack and goes on with the others', async () => {
    const models = await mkdtemp(join(tmpdir(), 'sightline-models-'));
    try {
      await cp(join(toyPacksFolder(), TOY_PACKS.object), join(models, 'objects'), {
        recursive: true,
      });
      await mkdir(join(models, 'broken'));
      await writeFile(join(models, 'broken', 'model.onnx'), 'not a model');
      await using service = await startStandalone({ SIGHTLINE_MODELS_DIR: models });
      expect(service.log.find((line) => line.includes('broken'))).toContain('"level":"warn"');
      const { client } = service;
      const file = await drawPhoto({ faces: ['Beatrice'] });
      const verification = await client.verifyFaces({ body: { file1: file, file2: file } });
      expect(verification.problem).toMatchObject({ status: 503, code: 'no_active_model' });
      expect(verification.headers.get('retry-after')).toMatch(/^\d+$/);
    } finally {
      await rm(models, { recursive: true });
    }
  });

  test('finishes requests in progress on SIGTERM, and exits with 0', async () => {
    await using service = await startStandalone();
    const { client } = service;
    const file = await enlarged(await drawPhoto({ faces: ['Ada'] }));
    const ask = () => client.testImage({ body: { file, type: 'faces' } });
    let running = ask();
    // A request may end before a poll has seen it, so another one is sent.
    while (!(await isSeenRunning(service.opsUrl, running))) running = ask();
    const exit = service.stop();
    expect((await running).body?.counts.faces).toBe(1);
    expect(await exit).toBe(0);
    await expect(client.getHealth()).rejects.toThrow();
  });
});

/** Enlarges a photo, so that its analysis takes long enough for a poll to see it. */
async function enlarged(photo: File): Promise<File> {
  const large = sharp(await photo.arrayBuffer()).resize(4096, 4096, { kernel: 'nearest' });
  return new File([new Uint8Array(await large.jpeg().toBuffer())], photo.name);
}

/** Whether a poll has seen the request in progress before its end. */
async function isSeenRunning(opsUrl: string, request: Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  const end = (): void => over.abort();
  request.then(end, end);
  while (!over.signal.aborted) {
    const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
    if (/^sightline_http_requests_in_flight [1-9]/m.test(metrics)) return true;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return false;
}
