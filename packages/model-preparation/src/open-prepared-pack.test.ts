import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { shared } from '@sightline/test/support/fixtures/shared';
import { decodePhoto } from '@sightline/engine/faces/testing/decode-photo';
import { FREE_BATCH, FREE_BATCH_AND_SIZE } from './free-dimensions.ts';
import { prepareOnnx } from './prepare-onnx.ts';
import { discoverPacks } from '@sightline/engine/packs/discover-packs';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import { openFacePack } from '@sightline/engine/packs/open-pack';

const YUNET = 'face_detection_yunet_2023mar_int8bq.onnx';
const SFACE = 'face_recognition_sface_2021dec_int8bq.onnx';
const SESSION = { provider: 'cpu', intraOpThreads: 1 } as const;

describeWithShared('a folder with YuNet and SFace, prepared, and no manifest', () => {
  let models: string;
  let pack: ModelPack;

  beforeAll(async () => {
    models = await mkdtemp(join(tmpdir(), 'sightline-prepared-'));
    const folder = await mkdtemp(join(models, 'pack-'));
    for (const [file, axes] of [
      [YUNET, FREE_BATCH_AND_SIZE],
      [SFACE, FREE_BATCH],
    ] as const) {
      await writeFile(join(folder, file), prepareOnnx(await readFile(shared('parts', file)), axes));
    }
    const found = await discoverPacks(models);
    pack = found.packs[0]!;
  });
  afterAll(() => rm(models, { recursive: true }));

  test('is recognized', () => {
    const raw = { mean: [0, 0, 0], std: [1, 1, 1] };
    expect(pack.manifest).toMatchObject({
      task: 'face',
      provides: ['landmarks'],
      components: [
        {
          role: 'FaceDetector',
          architecture: 'yunet',
          file: YUNET,
          input: { width: null, height: null },
          ...raw,
          color_order: 'bgr',
        },
        {
          role: 'FaceRecognizer',
          architecture: 'arcface',
          file: SFACE,
          input: { width: 112, height: 112 },
          ...raw,
          color_order: 'rgb',
          embedding_dim: 128,
        },
      ],
    });
  });

  test('detects and embeds faces', async () => {
    await using open = await openFacePack(pack, SESSION);
    const faces = await open.pipeline.analyze(
      await decodePhoto(shared('photos/people/000_5.jpg')),
      {
        detectionThreshold: 0.6,
        embed: true,
        attributes: true,
        fullFramePass: true,
        upright: false,
      },
      () => undefined,
    );
    expect(faces.map(({ embedding }) => embedding?.length)).toEqual([128, 128, 128, 128, 128]);
  });

  test('returns no face below the score floor', async () => {
    const photo = await decodePhoto(shared('photos/people/016_8.jpg'));
    const [detector, recognizer] = pack.manifest.components;
    const count = async (score_floor: number | undefined) => {
      const components = [{ ...detector!, score_floor }, recognizer!];
      await using open = await openFacePack(
        { ...pack, manifest: { ...pack.manifest, components } },
        SESSION,
      );
      const options = {
        detectionThreshold: 0.5,
        embed: false,
        attributes: false,
        fullFramePass: true,
        upright: false,
      };
      return (await open.pipeline.analyze(photo, options, () => undefined)).length;
    };
    // The ninth detection, with a score of 0.58, is a knot of hair.
    expect(await count(undefined)).toBe(9);
    expect(await count(0.6)).toBe(8);
  });
});
