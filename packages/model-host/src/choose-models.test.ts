import { describe, expect, test } from '@jest/globals';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import { type ChosenModel, chooseModels } from './choose-models.ts';

function pack(name: string, task: 'face' | 'object'): ModelPack {
  const manifest = {
    name,
    task,
    version: '1',
    license: 'MIT',
    commercial_use: true,
    provides: [],
    components: [],
  };
  return { manifest, directory: `/models/${name}`, revision: name };
}

const AUTO = { starter: 'auto', faceModel: null, objectModel: null } as const;
const BUFFALO = pack('buffalo_s', 'face');
const ANTELOPE = pack('antelopev2', 'face');
const YOLO = pack('yolov8n', 'object');
const BROKEN = { folder: 'broken', reason: 'model.onnx is no ONNX model.' };

function choose(
  packs: readonly ModelPack[],
  choice: Partial<Parameters<typeof chooseModels>[1]> = {},
): Record<string, string | null> {
  const nameOf = (chosen: ChosenModel) =>
    chosen === null || chosen === 'starter' ? chosen : chosen.directory;
  const { face, object } = chooseModels({ packs, rejected: [] }, { ...AUTO, ...choice });
  return { face: nameOf(face), object: nameOf(object) };
}

describe('a task', () => {
  test('is served by the pack of the folder, and without one by the starter', () => {
    expect(choose([])).toEqual({ face: 'starter', object: 'starter' });
    expect(choose([BUFFALO])).toEqual({ face: '/models/buffalo_s', object: 'starter' });
    expect(choose([YOLO])).toEqual({ face: 'starter', object: '/models/yolov8n' });
  });

  test('is not served without a pack where the starter is off', () => {
    expect(choose([YOLO], { starter: 'off' })).toEqual({ face: null, object: '/models/yolov8n' });
  });

  test('is served by the starter if its name is set, even if the folder has other packs', () => {
    const choice = { faceModel: 'starter-faces', objectModel: 'starter-objects' };
    const all = [BUFFALO, ANTELOPE, YOLO];
    expect(choose(all, choice)).toEqual({ face: 'starter', object: 'starter' });
    expect(() => choose(all, { ...choice, starter: 'off' })).toThrow(
      'There is no face model named "starter-faces"; available: buffalo_s, antelopev2.',
    );
  });

  test('is served by a pack of the folder that has the name of the starter', () => {
    const own = pack('starter-faces', 'face');
    for (const choice of [{ faceModel: 'starter-faces' }, {}]) {
      expect(choose([own, YOLO], choice).face).toBe('/models/starter-faces');
    }
  });

  test('with several packs needs a name, and the starter is not taken instead', () => {
    expect(() => choose([BUFFALO, ANTELOPE])).toThrow('There are several face models');
    expect(() => choose([], { faceModel: 'buffalo_s' })).toThrow(
      'There is no face model named "buffalo_s"; available: none.',
    );
  });
});

describe('an invalid folder among the packs', () => {
  const chooseBeside = (
    packs: readonly ModelPack[],
    choice: Partial<Parameters<typeof chooseModels>[1]> = {},
  ) => chooseModels({ packs, rejected: [BROKEN] }, { ...AUTO, ...choice });

  test('is not replaced by the starter model by default', () => {
    expect(() => chooseBeside([])).toThrow(
      'The models folder contains invalid packs: broken: model.onnx is no ONNX model. Repair or remove them, or select the starter models with SIGHTLINE_FACE_MODEL=starter-faces and SIGHTLINE_OBJECT_MODEL=starter-objects.',
    );
    expect(() => chooseBeside([YOLO])).toThrow(/with SIGHTLINE_FACE_MODEL=starter-faces\.$/);
  });

  test('is ignored if every task has a pack, the starter model by name, or none', () => {
    expect(chooseBeside([BUFFALO, YOLO])).toEqual({ face: BUFFALO, object: YOLO });
    expect(chooseBeside([YOLO], { faceModel: 'starter-faces' }).face).toBe('starter');
    expect(chooseBeside([YOLO], { starter: 'off' }).face).toBeNull();
  });
});
