import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { SlotOutcome } from '@sightline/core/activation/rollout-source';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import type { KubeClient, WatchEvent } from '@sightline/kube/kube-client';
import { KubeRefusal, toStatus } from '@sightline/kube/kube-errors';
import type { Place } from '@sightline/kube/kube-object';
import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import {
  INFERENCE_ROUTES,
  type InferenceRoute,
} from '@sightline/contracts/cluster/inference-route';
import { KubeRolloutSource } from './kube-rollout-source.ts';

const NEVER = new AbortController().signal;
const REVISION = 'a'.repeat(64);

/** What the server has, and the versions that it was given with each apply. */
let stored: InferenceRoute;
let models: InferenceModel[];
let applied: (string | undefined)[];
/** Tells the watch of routes. */
let tell: (event: WatchEvent<InferenceRoute>) => void;
/** Runs between what an apply stores and its answer. */
let beforeAnswer: () => Promise<void>;
/** What lists are answered with; null: with what there is. */
let refusal: KubeRefusal | null;
let source: KubeRolloutSource;

const refused = (code: number) => new KubeRefusal(toStatus(code, '{}', undefined));

function put(status: InferenceRoute['status']): InferenceRoute {
  const { metadata } = stored;
  const resourceVersion = String(Number(metadata.resourceVersion) + 1);
  stored = { ...stored, metadata: { ...metadata, resourceVersion }, status };
  return stored;
}

const client = {
  list: ({ resource }: Place) => {
    if (refusal !== null) return Promise.reject(refusal);
    const items = resource === INFERENCE_ROUTES ? [stored] : models;
    return Promise.resolve({ resourceVersion: '1', items });
  },
  async *watch({ resource }: Place, signal: AbortSignal) {
    const told: WatchEvent<InferenceRoute>[] = [];
    let wake = (): void => undefined;
    signal.addEventListener('abort', () => wake());
    if (resource === INFERENCE_ROUTES) {
      tell = (event) => {
        told.push(event);
        wake();
      };
    }
    for (;;) {
      signal.throwIfAborted();
      const event = told.shift();
      if (event !== undefined) yield event;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  },
  async apply(_ref: object, { object }: { object: InferenceRoute }) {
    const { resourceVersion } = object.metadata;
    applied.push(resourceVersion);
    if (resourceVersion !== stored.metadata.resourceVersion) throw refused(409);
    const answer = put({ ...stored.status, ...object.status });
    await beforeAnswer();
    return answer;
  },
} as unknown as KubeClient;

beforeEach(async () => {
  const metadata = { name: 'face', namespace: 'shop', uid: 'u', generation: 1 };
  const times = { keepPreviousSeconds: 600, drainTimeoutSeconds: 120 };
  stored = {
    apiVersion: 'sightline.dev/v1alpha1',
    kind: 'InferenceRoute',
    metadata: { ...metadata, resourceVersion: '10' },
    spec: { model: 'a', reembed: 'Before', ...times, progressDeadlineSeconds: 1800 },
  };
  [models, applied, refusal] = [[], [], null];
  beforeAnswer = () => Promise.resolve();
  source = new KubeRolloutSource({ client, namespace: 'shop', failed: () => undefined });
  await source.desired();
  await settle();
});
afterEach(() => source[Symbol.asyncDispose]());

async function settle(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await turn();
}

const report = (done: number | null) => {
  const reembedding = done === null ? null : { done, total: 9, failed: 0 };
  const outcome: SlotOutcome = {
    slot: 'face',
    generation: 1,
    active: null,
    reembedding,
    rolledBack: null,
  };
  return source.publish({ slots: [outcome] }, NEVER);
};

test('what a watch has told since outlives the answer of a report', async () => {
  beforeAnswer = async () => {
    tell({ type: 'MODIFIED', object: stored });
    tell({ type: 'MODIFIED', object: put({ ...stored.status, phase: 'Preparing' }) });
    await settle();
  };
  await report(1);
  beforeAnswer = () => Promise.resolve();
  await report(2);
  expect(applied).toEqual(['10', '12']);
  expect(stored.status?.reembedding?.summary).toBe('2/9');
});

test('a report that came too late is told again once the watch has told of the route', async () => {
  await report(1);
  put({ ...stored.status, phase: 'Preparing' });
  await report(2);
  expect(stored.status?.reembedding?.summary).toBe('1/9');
  tell({ type: 'MODIFIED', object: stored });
  await settle();
  await report(2);
  expect(stored.status?.reembedding?.summary).toBe('2/9');
});

test('nothing is reported of a route that is gone', async () => {
  await report(1);
  tell({ type: 'DELETED', object: stored });
  await settle();
  await report(2);
  expect(applied).toEqual(['10']);
});

test('reads leave no timer behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  for (let read = 0; read < 50; read++) await source.desired();
  // Others of this process come and go.
  expect(timers()).toBeLessThan(before + 50);
});

test('the models of this moment are asked for, and are not those that were told last', async () => {
  const pack = { name: 'faces', revision: REVISION };
  const spec = { task: 'Face', source: { starter: {} } } as InferenceModel['spec'];
  const metadata = { name: 'new', namespace: 'shop' };
  const declared = { apiVersion: 'sightline.dev/v1alpha1', kind: 'InferenceModel', metadata, spec };
  models = [{ ...declared, status: { pack } }];
  expect(await source.models()).toEqual([]);
  expect(await source.modelsNow(NEVER)).toMatchObject([{ name: 'new', needs: REVISION }]);
  refusal = refused(403);
  expect(await source.models()).toEqual([]);
  await expect(source.modelsNow(NEVER)).rejects.toThrow(StoreUnavailable);
});
