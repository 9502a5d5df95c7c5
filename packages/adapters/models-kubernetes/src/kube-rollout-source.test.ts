import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { SlotOutcome } from '@sightline/core/activation/rollout-source';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import type { KubeClient, WatchEvent } from '@sightline/kube/kube-client';
import { KubeRefusal, toStatus } from '@sightline/kube/kube-errors';
import type { Collection } from '@sightline/kube/kube-object';
import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import {
  INFERENCE_ROUTES,
  type InferenceRoute,
} from '@sightline/contracts/cluster/inference-route';
import { KubeRolloutSource } from './kube-rollout-source.ts';

const NEVER = new AbortController().signal;
const REVISION = 'a'.repeat(64);

/** The route and the models that the fake API server stores. */
let stored: InferenceRoute;
let models: InferenceModel[];
/** The resource version of each apply. */
let applied: (string | undefined)[];
/** Sends an event to the watch of routes. */
let emit: (event: WatchEvent<InferenceRoute>) => void;
/** Runs after an apply was stored and before its response. */
let beforeAnswer: () => Promise<void>;
/** The error of each list; null if lists succeed. */
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
  list: ({ resource }: Collection) => {
    if (refusal !== null) return Promise.reject(refusal);
    const items = resource === INFERENCE_ROUTES ? [stored] : models;
    return Promise.resolve({ resourceVersion: '1', items });
  },
  async *watch({ resource }: Collection, signal: AbortSignal) {
    const events: WatchEvent<InferenceRoute>[] = [];
    let wake = (): void => undefined;
    signal.addEventListener('abort', () => wake());
    if (resource === INFERENCE_ROUTES) {
      emit = (event) => {
        events.push(event);
        wake();
      };
    }
    for (;;) {
      signal.throwIfAborted();
      const event = events.shift();
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

test('a watch event that arrives before the response of a write wins', async () => {
  beforeAnswer = async () => {
    emit({ type: 'MODIFIED', object: stored });
    emit({ type: 'MODIFIED', object: put({ ...stored.status, phase: 'Preparing' }) });
    await settle();
  };
  await report(1);
  beforeAnswer = () => Promise.resolve();
  await report(2);
  expect(applied).toEqual(['10', '12']);
  expect(stored.status?.reembedding?.summary).toBe('2/9');
});

test('an outdated report is dropped, and the next one is written after the watch event', async () => {
  await report(1);
  put({ ...stored.status, phase: 'Preparing' });
  await report(2);
  expect(stored.status?.reembedding?.summary).toBe('1/9');
  emit({ type: 'MODIFIED', object: stored });
  await settle();
  await report(2);
  expect(stored.status?.reembedding?.summary).toBe('2/9');
});

test('nothing is reported for a deleted route', async () => {
  await report(1);
  emit({ type: 'DELETED', object: stored });
  await settle();
  await report(2);
  expect(applied).toEqual(['10']);
});

test('reads leave no timer behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  for (let read = 0; read < 50; read++) await source.desired();
  // A timer per read would add 50. The exact number varies with other timers of this process.
  expect(timers()).toBeLessThan(before + 50);
});

test('modelsNow lists the models again instead of using the watched ones', async () => {
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
