import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { shared } from '@sightline/test/support/fixtures/shared';
import { decodePhoto } from '@sightline/engine/faces/testing/decode-photo';
import { convertGraphModel } from './convert-graph-model.ts';
import { publishedModel } from './testing/published-model.ts';
import { discoverPacks } from '@sightline/engine/packs/discover-packs';
import type { ModelPack, PackComponent } from '@sightline/engine/packs/manifest';
import { openFacePack, openObjectPack } from '@sightline/engine/packs/open-pack';

const SESSION = { provider: 'cpu', intraOpThreads: 1 } as const;
const FACTS = { version: '1', license: 'MIT', commercial_use: true };
const DETECTOR = 'packs/insightface/scrfd_2.5g_bnkps.onnx';

describeWithShared('packs of converted networks', () => {
  let models: string;
  let packs: readonly ModelPack[];

  beforeAll(async () => {
    models = await mkdtemp(join(tmpdir(), 'sightline-converted-'));
    for (const name of ['faces', 'objects']) await mkdir(join(models, name));
    const faceres = ['gender_pred/Sigmoid', 'age_pred/Softmax'];
    const centernet = ['tower_0/keypoints', 'tower_0/wh'];
    await writeFile(
      join(models, 'faces/faceres.onnx'),
      convertGraphModel(publishedModel('faceres'), faceres),
    );
    await writeFile(
      join(models, 'objects/centernet.onnx'),
      convertGraphModel(publishedModel('centernet'), centernet),
    );
    await copyFile(shared(DETECTOR), join(models, 'faces/scrfd.onnx'));
    await writeManifest('faces', 'face', [
      {
        role: 'FaceDetector',
        architecture: 'scrfd',
        file: 'scrfd.onnx',
        input: { width: null, height: null },
        mean: [127.5, 127.5, 127.5],
        std: [128, 128, 128],
        color_order: 'rgb',
      },
      {
        role: 'GenderAge',
        architecture: 'faceres',
        file: 'faceres.onnx',
        input: { width: 224, height: 224 },
        mean: [103.939, 116.779, 123.68],
        std: [1, 1, 1],
        color_order: 'bgr',
      },
    ]);
    await writeManifest('objects', 'object', [
      {
        role: 'ObjectDetector',
        architecture: 'centernet',
        file: 'centernet.onnx',
        input: { width: 512, height: 512 },
        mean: [0, 0, 0],
        std: [1, 1, 1],
        color_order: 'rgb',
      },
    ]);
    ({ packs } = await discoverPacks(models));
  });
  afterAll(() => rm(models, { recursive: true }));

  async function writeManifest(
    name: string,
    task: string,
    nets: readonly Omit<PackComponent, 'sha256'>[],
  ): Promise<void> {
    const components = await Promise.all(
      nets.map(async (net) => ({
        ...net,
        sha256: createHash('sha256')
          .update(await readFile(join(models, name, net.file)))
          .digest('hex'),
      })),
    );
    const provides = task === 'face' ? ['landmarks', 'age', 'gender'] : [];
    const manifest = { name, task, ...FACTS, provides, components };
    await writeFile(join(models, name, 'manifest.json'), JSON.stringify(manifest));
  }

  test('faceres estimates gender and age', async () => {
    await using open = await openFacePack(packs[0]!, SESSION);
    const found = await open.pipeline.analyze(
      await decodePhoto(shared('photos/people/000_5.jpg')),
      {
        detectionThreshold: 0.5,
        embed: false,
        attributes: true,
        fullFramePass: false,
        upright: false,
      },
      () => undefined,
    );
    expect(found.map(({ gender }) => gender).toSorted()).toEqual(['F', 'F', 'F', 'M', 'M']);
    for (const { age } of found) {
      expect(age).toBeGreaterThan(10);
      expect(age).toBeLessThan(50);
    }
  });

  test('centernet detects objects, with COCO class names if the manifest has none', async () => {
    await using open = await openObjectPack(packs[1]!, SESSION);
    const found = await open.pipeline.analyze(
      await decodePhoto(shared('photos/objects/bus.jpg')),
      { confidenceThreshold: 0.45, classFilter: ['bus'] },
      () => undefined,
    );
    expect(found).toMatchObject([{ className: 'bus', classId: 5 }]);
  });
});
