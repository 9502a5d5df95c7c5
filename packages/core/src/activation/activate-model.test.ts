import { beforeEach, expect, test } from '@jest/globals';
import { FakeAnalyzer } from '../analysis/testing/fake-analyzer.ts';
import type { ReportedModel } from '../models/analyzer-status.ts';
import { ModelRegistry } from '../models/model-registry.ts';
import type { ActivateOptions, RegisteredModel } from '../models/model-store.ts';
import { FACE_MODEL, warmModel } from '../models/testing/sample-models.ts';
import { activateModel } from './activate-model.ts';
import { DatabaseSource } from './database-source.ts';

const OLD: RegisteredModel = { ...FACE_MODEL, id: 1 };
const NEXT: RegisteredModel = { ...FACE_MODEL, id: 2, revision: 'a'.repeat(64) };
const WARM = warmModel(NEXT);

let steps: string[];
/** The number of images without embeddings that each attempt to switch finds. */
let behind: (attempt: number) => number;
let report: readonly ReportedModel[];

beforeEach(() => {
  steps = [];
  behind = () => 0;
  report = [WARM];
});

const unused = () => {
  throw new Error('No image is embedded.');
};

async function activate(reembed: 'before' | 'after' = 'before') {
  let attempts = 0;
  const modelStore = {
    register: () => Promise.resolve([]),
    joinForeign: () => Promise.resolve(),
    roles: () => Promise.resolve({ active: [OLD], pending: [NEXT], previous: [] }),
    activate: (_: number, { mayBeBehind = Infinity, whilePending }: ActivateOptions = {}) => {
      expect(whilePending).toBe(true);
      steps.push(`switch with ${mayBeBehind}`);
      return Promise.resolve(behind(++attempts) <= mayBeBehind);
    },
  };
  await activateModel(
    {
      database: { withScope: unused, withEntities: unused, deferred: unused, ready: unused },
      media: { open: unused, requireAnswer: unused },
      analyzer: new FakeAnalyzer(),
      models: new ModelRegistry(modelStore),
      changeLog: { backlog: unused },
      source: new DatabaseSource({
        hosts: { hold: () => Promise.resolve() },
        provider: () => Promise.resolve('auto'),
      }),
      hosts: {
        statuses: () =>
          Promise.resolve([{ ready: true, provider: 'cpu', models: [FACE_MODEL], report }]),
      },
      modelStore,
      activations: {
        countEnrolledBehind: () => Promise.resolve(0),
        enrolledBehind: () => {
          steps.push('look');
          return Promise.resolve([]);
        },
      },
      concurrency: 2,
    },
    { modelId: NEXT.id, reembed },
    { signal: new AbortController().signal, report: () => Promise.resolve() },
  );
}

test('switches once all enrolled faces are embedded', async () => {
  behind = (attempt) => (attempt < 3 ? 1 : 0);
  await activate();
  expect(steps).toEqual([
    'look',
    'switch with 0',
    'look',
    'switch with 0',
    'look',
    'switch with 0',
  ]);
});

test('tolerates a few missing images after many attempts, and embeds them at once', async () => {
  behind = () => 20;
  await activate();
  expect(steps).toHaveLength(2 * 21 + 1);
  expect(steps.slice(-5)).toEqual(['look', 'switch with 0', 'look', 'switch with 20', 'look']);
});

test('never tolerates many missing images', async () => {
  behind = (attempt) => (attempt < 50 ? 21 : 20);
  await activate();
  expect(steps.filter((step) => step.startsWith('switch'))).toHaveLength(50);
});

test('switches before the embedding if the caller requests that', async () => {
  behind = () => 1000;
  await activate('after');
  expect(steps).toEqual(['switch with Infinity']);
});

test('fails if one host cannot load the model', async () => {
  const error = { reason: 'LoadFailed', message: 'embedding.onnx is cut off.' };
  report = [{ ...WARM, state: 'failed', error }];
  await expect(activate()).rejects.toMatchObject({
    code: 'model_load_failed',
    message: 'The model faces cannot be loaded: embedding.onnx is cut off.',
  });
  expect(steps).toEqual([]);
});
