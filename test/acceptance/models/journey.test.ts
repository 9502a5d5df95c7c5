import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { drawPhoto } from '../../support/fixtures/draw-photo.ts';
import { photo } from '../../support/fixtures/photo.ts';
import { shared } from '../../support/fixtures/shared.ts';
import { temporaryFolder } from '../../support/fixtures/temporary-folder.ts';
import { TOY_PACKS } from '../../support/fixtures/toy-packs.ts';
import { describeWithShared } from '../../support/gates/describe-with-shared.ts';
import { ok, okWith } from '../../support/services/ok.ts';
import {
  type RunningStandalone,
  startStandalone,
} from '../../support/services/running-standalone.ts';

const PAUSE_MS = 100;

const FACES = {
  name: 'insightface',
  task: 'face',
  version: '1',
  license: 'InsightFace-non-commercial-research',
  commercial_use: false,
  files: ['insightface/scrfd_2.5g_bnkps.onnx', 'insightface/w600k_mbf_int8.onnx'],
};
const OBJECTS = {
  name: 'yolov8n',
  task: 'object',
  version: '8',
  license: 'AGPL-3.0',
  commercial_use: 'unknown',
  commercial_use_reason: 'It depends on how the service is offered.',
  files: ['yolov8n/yolov8n_int8.onnx'],
};

describeWithShared('models of a catalog', () => {
  const resources = new AsyncDisposableStack();
  let service: RunningStandalone;

  beforeAll(async () => {
    const { path: folder } = resources.use(await temporaryFolder());
    const catalog = join(folder, 'catalog.json');
    const packs = shared('packs');
    const addressOf = (file: string) => ({ address: pathToFileURL(join(packs, file)).href });
    const entries = [FACES, OBJECTS].map((entry) => ({
      ...entry,
      files: entry.files.map(addressOf),
    }));
    await writeFile(catalog, JSON.stringify(entries));
    service = resources.use(
      await startStandalone({
        SIGHTLINE_MODEL_CATALOG: catalog,
        SIGHTLINE_MODEL_FILES: packs,
        SIGHTLINE_CACHE: folder,
      }),
    );
    while ((await models()).every(({ name }) => name !== FACES.name)) await sleep(PAUSE_MS);
  });
  afterAll(() => resources.disposeAsync());

  async function models() {
    return ok(await service.client.listModels()).items;
  }

  async function modelOf(name: string) {
    return (await models()).find((model) => model.name === name)!;
  }

  async function endOf(id: number) {
    for (;;) {
      const job = ok(await service.client.getJob({ path: { id } }));
      if (job.finished_at !== null) return job;
      await sleep(PAUSE_MS);
    }
  }

  async function download(name: string) {
    const { id } = await modelOf(name);
    return endOf(ok(await service.client.downloadModel({ path: { id } })).job_id);
  }

  async function activate(name: string) {
    const { id: model } = await modelOf(name);
    const answer = await service.client.activateModel({ path: { id: model }, body: {} });
    if (answer.status === 202) {
      const { job_id: id } = okWith(202, answer);
      expect(await endOf(id)).toMatchObject({ status: 'done' });
    } else {
      expect(okWith(200, answer)).toMatchObject({ id: model, name, active: true });
    }
    expect(await modelOf(name)).toMatchObject({ active: true, status: 'downloaded' });
  }

  test('are listed, downloaded, activated and used, and a switch back loses no person', async () => {
    const drawn = await drawPhoto({ faces: ['Ada'] });
    ok(await service.client.enrollFace({ body: { name: 'Ada', file: drawn } }));
    for (const { name, license, files } of [FACES, OBJECTS]) {
      expect(await modelOf(name)).toMatchObject({ status: 'available', license, sha256: null });
      expect(await download(name)).toMatchObject({ status: 'done', failed: 0, error: null });
      const { size_bytes: bytes, sha256 } = await modelOf(name);
      expect(bytes).toBeGreaterThan(files.length * 1e6);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      await activate(name);
    }
    const people = await photo('people/000_5.jpg');
    const { faces, objects } = ok(
      await service.client.testImage({ body: { file: people, type: 'all' } }),
    );
    expect(faces).toHaveLength(5);
    expect(objects.map(({ class_name: name }) => name)).toContain('person');
    await activate(TOY_PACKS.face);
    await activate(TOY_PACKS.object);
    const again = await drawPhoto({ faces: ['Ada 2'] });
    const identified = ok(await service.client.identifyFaces({ body: { file: again } }));
    expect(identified.faces).toMatchObject([{ label: 'Ada' }]);
    expect(await service.inconsistencies()).toEqual([]);
  });
});
