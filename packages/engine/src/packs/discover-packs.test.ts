import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { shared } from '@sightline/test/support/fixtures/shared';
import { encodeFields, handMadeModel } from '../onnx/testing/hand-made-model.ts';
import { describePack } from './describe-pack.ts';
import { discoverPacks } from './discover-packs.ts';

const DETECTOR = handMadeModel({
  inputs: { input: [1, 3, 'h', 'w'] },
  outputs: Object.fromEntries([1, 1, 1, 4, 4, 4].map((n, i) => [`o${i}`, ['n', n]])),
});
const recognizer = (length: number) =>
  handMadeModel({ inputs: { data: ['b', 3, 112, 112] }, outputs: { fc1: [1, length] } });
const LANDMARKS_2D = handMadeModel({
  inputs: { data: ['b', 3, 192, 192] },
  outputs: { fc1: [1, 212] },
});
const YOLO = handMadeModel({
  inputs: { images: [1, 3, 640, 640] },
  outputs: { output0: [1, 84, 8400] },
});
const UNSAFE = encodeFields({ graph: { initializer: [{ name: 'w', dataLocation: 1 }] } });

let models: string;
beforeEach(async () => {
  models = await mkdtemp(join(tmpdir(), 'sightline-packs-'));
});
afterEach(() => rm(models, { recursive: true }));

async function folder(name: string, files: Record<string, Uint8Array | string>): Promise<void> {
  await mkdir(join(models, name), { recursive: true });
  for (const [file, bytes] of Object.entries(files)) {
    await writeFile(join(models, name, file), bytes);
  }
}

function manifest(change: object = {}, component: object = {}): string {
  const sha256 = createHash('sha256').update(YOLO).digest('hex');
  return JSON.stringify({
    name: 'things',
    task: 'object',
    version: '8',
    license: 'MIT',
    commercial_use: true,
    provides: [],
    components: [
      {
        role: 'ObjectDetector',
        architecture: 'yolov8',
        file: 'yolo.onnx',
        sha256,
        input: { width: 640, height: 640 },
        mean: [0, 0, 0],
        std: [255, 255, 255],
        color_order: 'rgb',
        classes: ['thing'],
        ...component,
      },
    ],
    ...change,
  });
}

describe('discoverPacks', () => {
  test('reads each folder as a pack of that name', async () => {
    await folder('people', { 'det.onnx': DETECTOR, 'rec.onnx': recognizer(512) });
    await folder('things', { 'manifest.json': manifest(), 'yolo.onnx': YOLO });
    await folder('.cache', {});
    await writeFile(join(models, 'README.md'), 'notes');
    const { packs, rejected, warnings } = await discoverPacks(models);
    expect(rejected).toEqual([]);
    expect(warnings).toEqual([]);
    expect(packs.map(({ directory }) => directory)).toEqual([
      join(models, 'people'),
      join(models, 'things'),
    ]);
    const [people, things] = packs.map(describePack);
    expect(people).toMatchObject({
      name: 'people',
      task: 'face',
      license: 'unknown',
      commercialUse: false,
      commercialUseReason: 'The pack has no manifest, so its license is not known.',
      provides: [],
      embeddingDim: 512,
      classes: [],
      version: people!.revision.slice(0, 12),
    });
    expect(things).toMatchObject({
      name: 'things',
      task: 'object',
      version: '8',
      license: 'MIT',
      commercialUse: true,
      commercialUseReason: null,
      embeddingDim: null,
      classes: ['thing'],
    });
    expect(structuredClone(packs)).toEqual(packs);
  });

  test('reads a pack in the only folder of its folder, as some archives have it', async () => {
    const inner = join('people', 'people-1.0');
    await folder('__MACOSX', {});
    await folder(inner, { 'det.onnx': DETECTOR });
    await folder(join('people', '__MACOSX'), { '._det.onnx': 'metadata' });
    const { packs, rejected } = await discoverPacks(models);
    expect(packs).toMatchObject([{ manifest: { name: 'people' }, directory: join(models, inner) }]);
    expect(rejected).toEqual([]);
  });

  test.each<[string, () => Promise<void>]>([
    ['two folders', () => folder('people/other', { 'det.onnx': DETECTOR })],
    ['a file beside the folder', () => writeFile(join(models, 'people', 'notes.txt'), 'x')],
  ])('does not look for a pack in %s', async (_what, add) => {
    await folder('people/inner', { 'det.onnx': DETECTOR });
    await add();
    expect((await discoverPacks(models)).packs).toEqual([]);
  });

  test('does not follow a link to a folder in a pack', async () => {
    await folder('.elsewhere', { 'det.onnx': DETECTOR });
    await folder('people', {});
    await symlink(join(models, '.elsewhere'), join(models, 'people', 'inner'));
    expect((await discoverPacks(models)).packs).toEqual([]);
  });

  test('assigns a role to the first matching file and reports the skipped ones', async () => {
    await folder('people', {
      'a.onnx': recognizer(512),
      'b.onnx': DETECTOR,
      'c.onnx': recognizer(256),
      'd.onnx': LANDMARKS_2D,
      'notes.txt': 'x',
      '._a.onnx': 'metadata that macOS writes beside a file',
    });
    const { packs, warnings } = await discoverPacks(models);
    expect(packs[0]!.manifest.components.map(({ file }) => file)).toEqual(['a.onnx', 'b.onnx']);
    expect(warnings).toEqual([
      {
        folder: 'people',
        reason: 'c.onnx is skipped: a.onnx already has the role FaceRecognizer.',
      },
      {
        folder: 'people',
        reason: 'd.onnx is skipped: it detects 2D landmarks, which are not used.',
      },
    ]);
  });

  test.each<[string, Record<string, Uint8Array | string>, string]>([
    ['nothing in it', {}, 'The folder contains neither a manifest.json nor an .onnx file.'],
    ['an unsafe model', { 'x.onnx': UNSAFE }, 'x.onnx stores the values of "w" in another file.'],
    ['a broken model', { 'x.onnx': 'x' }, 'x.onnx is not an ONNX model'],
    ['no known model', { 'x.onnx': LANDMARKS_2D }, 'No file is a supported model.'],
    [
      'a recognizer alone',
      { 'rec.onnx': recognizer(512) },
      'No file is a face detector, which rec.onnx (FaceRecognizer) needs.',
    ],
    [
      'models of two tasks',
      { 'det.onnx': DETECTOR, 'yolo.onnx': YOLO },
      'Face models and object detectors must be in separate folders.',
    ],
    ['an invalid manifest', { 'manifest.json': '[]' }, 'manifest.json is not a valid manifest'],
    [
      'a manifest with another name',
      { 'manifest.json': manifest({ name: 'else' }), 'yolo.onnx': YOLO },
      'manifest.json has the name "else", which is not the name of its folder.',
    ],
    ['a missing file', { 'manifest.json': manifest() }, 'yolo.onnx does not exist.'],
    [
      'a digest that differs from the manifest',
      { 'manifest.json': manifest(), 'yolo.onnx': DETECTOR },
      'yolo.onnx has the digest',
    ],
    [
      'a file outside it',
      { 'manifest.json': manifest({}, { file: '../yolo.onnx' }) },
      'name of an .onnx file in the folder',
    ],
  ])('rejects a folder with %s', async (_what, files, reason) => {
    await folder('things', files);
    const { packs, rejected } = await discoverPacks(models);
    expect(packs).toEqual([]);
    expect(rejected).toEqual([{ folder: 'things', reason: expect.stringContaining(reason) }]);
  });

  test('rejects a symbolic link out of the folder', async () => {
    await folder('things', { 'manifest.json': manifest() });
    await writeFile(join(models, '.yolo.onnx'), YOLO);
    await symlink(join(models, '.yolo.onnx'), join(models, 'things', 'yolo.onnx'));
    const { rejected } = await discoverPacks(models);
    expect(rejected[0]!.reason).toBe(
      'yolo.onnx is a symbolic link; the file itself must be in the folder.',
    );
  });

  test('reports a file that needs a folder, and a broken link', async () => {
    await writeFile(join(models, 'yolo.onnx'), YOLO);
    await symlink(join(models, 'gone'), join(models, 'away'));
    const { rejected } = await discoverPacks(models);
    expect(rejected).toEqual([
      { folder: 'away', reason: 'away cannot be read as a folder.' },
      { folder: 'yolo.onnx', reason: 'yolo.onnx must be in a folder of its own.' },
    ]);
  });

  test('fails if the models folder does not exist', async () => {
    await expect(discoverPacks(join(models, 'absent'))).rejects.toMatchObject({
      code: 'model_load_failed',
      message: expect.stringContaining('cannot be read'),
    });
  });
});

describeWithShared('discoverPacks on real models', () => {
  test('recognizes the face pack and the object pack', async () => {
    const { packs, rejected, warnings } = await discoverPacks(shared('packs'));
    expect(rejected).toEqual([]);
    expect(warnings).toEqual([]);
    const [faces, objects] = packs;
    expect(describePack(faces!)).toMatchObject({
      name: 'insightface',
      task: 'face',
      provides: ['landmarks'],
      embeddingDim: 512,
    });
    expect(faces!.manifest.components.map(({ role, file }) => [role, file])).toEqual([
      ['FaceDetector', 'scrfd_2.5g_bnkps.onnx'],
      ['FaceRecognizer', 'w600k_mbf_int8.onnx'],
    ]);
    const described = describePack(objects!);
    expect(described).toMatchObject({ name: 'yolov8n', task: 'object' });
    expect(described.classes).toHaveLength(80);
    expect(objects!.manifest.components[0]).toMatchObject({
      architecture: 'yolov8',
      input: { width: 640, height: 640 },
    });
  });
});
