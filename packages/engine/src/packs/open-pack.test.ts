import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { shared } from '@sightline/test/support/fixtures/shared';
import { decodePhoto } from '../faces/testing/decode-photo.ts';
import { handMadeModel } from '../onnx/testing/hand-made-model.ts';
import { lengths, modelOf, node, tensor, value, weights } from '../onnx/testing/small-graph.ts';
import { discoverPacks } from './discover-packs.ts';
import type { ModelPack, PackComponent } from './manifest.ts';
import { openFacePack, openObjectPack } from './open-pack.ts';

const SESSION = { provider: 'cpu', intraOpThreads: 1 } as const;
const NO_OBSERVER = () => undefined;

describeWithShared('opening packs', () => {
  let models: string;
  let faces: ModelPack;
  let objects: ModelPack;

  beforeAll(async () => {
    models = await mkdtemp(join(tmpdir(), 'sightline-open-'));
    const found = await discoverPacks(shared('packs'));
    [faces, objects] = found.packs as [ModelPack, ModelPack];
  });
  afterAll(() => rm(models, { recursive: true }));

  async function packOf(...files: string[]): Promise<ModelPack> {
    const folder = await mkdtemp(join(models, 'pack-'));
    for (const file of files) await copyFile(shared(file), join(folder, basename(file)));
    const { packs } = await discoverPacks(models);
    return packs.find(({ directory }) => directory === folder)!;
  }

  function change(pack: ModelPack, role: string, component: Partial<PackComponent>): ModelPack {
    const components = pack.manifest.components.map((old) =>
      old.role === role ? { ...old, ...component } : old,
    );
    return { ...pack, manifest: { ...pack.manifest, components } };
  }

  test('a face pack detects and embeds faces', async () => {
    await using open = await openFacePack(faces, SESSION);
    const found = await open.pipeline.analyze(
      await decodePhoto(shared('photos/people/000_5.jpg')),
      {
        detectionThreshold: 0.5,
        embed: true,
        attributes: true,
        fullFramePass: true,
        upright: false,
      },
      NO_OBSERVER,
    );
    expect(found).toHaveLength(5);
    for (const face of found) {
      expect(face.embedding).toHaveLength(512);
      expect(face).toMatchObject({ age: null, gender: null, pose: null });
    }
  });

  test('a face pack may calibrate its quality', async () => {
    const quality_calibration = [
      [0, 0],
      [1, 0.5],
    ] as const;
    const pack = { ...faces, manifest: { ...faces.manifest, quality_calibration } };
    await using open = await openFacePack(pack, SESSION);
    const [face] = await open.pipeline.analyze(
      await decodePhoto(shared('photos/people/000_5.jpg')),
      {
        detectionThreshold: 0.5,
        embed: false,
        attributes: false,
        fullFramePass: false,
        upright: false,
      },
      NO_OBSERVER,
    );
    expect(face!.confidence).toBeGreaterThan(0.5);
    expect(face!.quality).toBeCloseTo(face!.confidence / 2, 6);
  });

  test('a pack with more models estimates more attributes', async () => {
    const pack = await packOf(
      'packs/insightface/scrfd_2.5g_bnkps.onnx',
      'parts/genderage_contract.onnx',
      'parts/1k3d68_contract.onnx',
    );
    expect(pack.manifest.provides.toSorted()).toEqual(['age', 'gender', 'landmarks', 'pose']);
    await using open = await openFacePack(pack, SESSION);
    const [face] = await open.pipeline.analyze(
      await decodePhoto(shared('photos/people/000_5.jpg')),
      {
        detectionThreshold: 0.5,
        embed: true,
        attributes: true,
        fullFramePass: false,
        upright: false,
      },
      NO_OBSERVER,
    );
    expect(face!.embedding).toBeNull();
    expect(face!.age).not.toBeNull();
    expect(face!.gender).toMatch(/^[MF]$/);
    expect(face!.pose).toHaveLength(3);
  });

  test('an object pack detects objects', async () => {
    await using open = await openObjectPack(objects, SESSION);
    const found = await open.pipeline.analyze(
      await decodePhoto(shared('photos/objects/bus.jpg')),
      { confidenceThreshold: 0.25, classFilter: ['bus'] },
      NO_OBSERVER,
    );
    expect(found).toMatchObject([{ className: 'bus', classId: 5 }]);
  });

  test('an analysis ends before its next run when it is aborted', async () => {
    let left = Infinity;
    let checks = 0;
    const throwIfAborted = () => {
      checks += 1;
      if ((left -= 1) < 0) throw new Error('the caller left');
    };
    await using face = await openFacePack(faces, { ...SESSION, throwIfAborted });
    await using object = await openObjectPack(objects, { ...SESSION, throwIfAborted });
    const people = await decodePhoto(shared('photos/people/000_5.jpg'));
    const options = {
      detectionThreshold: 0.5,
      embed: true,
      attributes: true,
      fullFramePass: false,
      upright: true,
    };
    const all = { confidenceThreshold: 0.5, classFilter: [] };
    // The first stage and the second one, in which each face takes a run.
    for (const allowed of [0, 3]) {
      [left, checks] = [allowed, 0];
      await expect(face.pipeline.analyze(people, options, NO_OBSERVER)).rejects.toThrow(
        'the caller left',
      );
      expect(checks).toBe(allowed + 1);
    }
    left = 0;
    await expect(object.pipeline.analyze(people, all, NO_OBSERVER)).rejects.toThrow(
      'the caller left',
    );
    left = Infinity;
    expect(await face.pipeline.analyze(people, options, NO_OBSERVER)).toHaveLength(5);
  });

  test('an abort that arrives during a run ends the analysis before the next one', async () => {
    const { port1, port2 } = new MessageChannel();
    const received = { abort: false };
    const runs = { begun: -Infinity };
    port2.on('message', () => (received.abort = true));
    await using face = await openFacePack(faces, {
      ...SESSION,
      throwIfAborted: () => {
        if (received.abort) throw new Error('the caller left');
        runs.begun += 1;
        // The message is sent at the beginning of the turn that runs the network.
        if (runs.begun === 2) setImmediate(() => port1.postMessage('abort'));
      },
    });
    runs.begun = 0;
    const options = {
      detectionThreshold: 0.5,
      embed: true,
      attributes: false,
      fullFramePass: false,
      upright: false,
    };
    const people = await decodePhoto(shared('photos/people/000_5.jpg'));
    const analysis = face.pipeline.analyze(people, options, NO_OBSERVER);
    await expect(analysis).rejects.toThrow('the caller left');
    expect(runs.begun).toBe(2);
    port1.close();
  });

  test('rejects a file that changed after discovery', async () => {
    const pack = await packOf('packs/yolov8n/yolov8n_int8.onnx');
    await writeFile(join(pack.directory, 'yolov8n_int8.onnx'), 'something else');
    await expect(openObjectPack(pack, SESSION)).rejects.toThrow(
      /^yolov8n_int8.onnx has the digest [0-9a-f]{64} instead of b10b76df/,
    );
  });

  test.each<[string, () => Promise<unknown>, string]>([
    [
      'returns embeddings of another length than declared',
      () => openFacePack(change(faces, 'FaceRecognizer', { embedding_dim: 256 }), SESSION),
      'w600k_mbf_int8.onnx makes embeddings of 512 values instead of 256.',
    ],
    [
      'has other classes than declared',
      () => openObjectPack(change(objects, 'ObjectDetector', { classes: ['cat'] }), SESSION),
      'yolov8n_int8.onnx failed in its warm-up run: The network has 80 classes, but 1 class names are given.',
    ],
    [
      'has another head than declared',
      () => openObjectPack(change(objects, 'ObjectDetector', { architecture: 'yolox' }), SESSION),
      'yolov8n_int8.onnx failed in its warm-up run: ',
    ],
    [
      'has another input size than declared',
      () => {
        const input = { width: 320, height: 320 };
        return openObjectPack(change(objects, 'ObjectDetector', { input }), SESSION);
      },
      'yolov8n_int8.onnx failed in its warm-up run: ',
    ],
    [
      'is of another task',
      () => openObjectPack(faces, SESSION),
      'The pack insightface (task face) has no component of role ObjectDetector.',
    ],
  ])('rejects a pack that %s', async (_what, open, message) => {
    const failure: unknown = await open().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ModelLoadFailed);
    expect((failure as Error).message).toContain(message);
  });

  test('rejects a recognizer that declares batches but does not support them', async () => {
    const folder = await mkdtemp(join(models, 'pack-'));
    await copyFile(shared('packs/insightface/scrfd_2.5g_bnkps.onnx'), join(folder, 'scrfd.onnx'));
    await writeFile(join(folder, 'lonely.onnx'), oneFaceAtATime());
    const { packs } = await discoverPacks(models);
    const pack = packs.find(({ directory }) => directory === folder)!;
    expect(pack.manifest.components.map(({ role }) => role)).toContain('FaceRecognizer');
    await expect(openFacePack(pack, SESSION)).rejects.toThrow(
      'lonely.onnx failed in its warm-up run: ',
    );
  });

  test('keeps the input of a detector square if its graph fails on other shapes', async () => {
    const folder = await mkdtemp(join(models, 'pack-'));
    await writeFile(join(folder, 'square.onnx'), squareSidesOnly());
    const { packs } = await discoverPacks(models);
    const pack = packs.find(({ directory }) => directory === folder)!;
    await using open = await openObjectPack(pack, SESSION);
    const photo = await decodePhoto(shared('photos/objects/bus.jpg'));
    const options = { confidenceThreshold: 0.25, classFilter: [] };
    expect(await open.pipeline.analyze(photo, options, NO_OBSERVER)).toEqual([]);
  });

  test('names the file that onnxruntime cannot load', async () => {
    const folder = await mkdtemp(join(models, 'pack-'));
    const hollow = handMadeModel({
      inputs: { images: [1, 3, 640, 640] },
      outputs: { output0: [1, 84, 8400] },
      nodes: [{ opType: 'NoSuchOperator', input: ['images'], output: ['output0'] }],
    });
    await writeFile(join(folder, 'hollow.onnx'), hollow);
    const { packs } = await discoverPacks(models);
    const pack = packs.find(({ directory }) => directory === folder)!;
    await expect(openObjectPack(pack, SESSION)).rejects.toThrow('hollow.onnx');
  });
});

/** Makes a model that reshapes its result to one row and therefore fails only on a batch. */
function oneFaceAtATime(): Uint8Array {
  return modelOf({
    input: [value('face', ['batch', 3, 112, 112])],
    output: [value('embedding', ['batch', 3])],
    initializer: [weights('one', [], 1), tensor('row', 'float32', { dims: [2], values: [1, 3] })],
    node: [
      node('GlobalAveragePool', ['pooled', 'face']),
      node('Flatten', ['means', 'pooled']),
      node('ReduceMax', ['largest', 'means'], { keepdims: 0 }),
      node('Clip', ['unit', 'largest', 'one', 'one']),
      node('Mul', ['sides', 'row', 'unit']),
      node('Cast', ['shape', 'sides'], { to: 7 }),
      node('Reshape', ['embedding', 'means', 'shape']),
    ],
  });
}

/** Makes a model that declares an input of any size, and fails on all but 640 x 640 pixels. It finds nothing. */
function squareSidesOnly(): Uint8Array {
  return modelOf({
    input: [value('images', [1, 3, 'height', 'width'])],
    output: [value('output0', [1, 84, 8400])],
    initializer: [
      lengths('row', [1, 1, 3 * 80 * 80]),
      lengths('columns', [1, 84, 8400]),
      weights('zero', [], 0),
    ],
    node: [
      node('AveragePool', ['pooled', 'images'], { kernel_shape: [8, 8], strides: [8, 8] }),
      node('Reshape', ['flat', 'pooled', 'row']),
      node('ReduceMax', ['largest', 'flat'], { keepdims: 0 }),
      node('Mul', ['nothing', 'largest', 'zero']),
      node('Expand', ['output0', 'nothing', 'columns']),
    ],
  });
}
