import { once } from 'node:events';
import { beforeEach, expect, test } from '@jest/globals';
import type { KubeClient } from '@sightline/kube/kube-client';
import { KubeRefusal, toStatus } from '@sightline/kube/kube-errors';
import type { Collection, KubeObject, ObjectRef } from '@sightline/kube/kube-object';
import { INFERENCE_MODELS } from '@sightline/contracts/cluster/inference-model';
import { createLogger } from '@sightline/platform/logging/logger';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { FakeClock } from '@sightline/platform/resilience/testing/fake-clock';
import { Leading } from './leading.ts';
import { createOperatorMetrics } from './operator-metrics.ts';
import { NOW, sampleModel } from './plan/testing/samples.ts';

let clock: FakeClock;
/** The namespace whose objects the operator may not read; null if it may read all. */
let refused: string | null;
/** The models whose status was written, as `namespace/name`. */
let written: Set<string>;

beforeEach(() => {
  [clock, refused, written] = [new FakeClock(), 'films', new Set()];
});

/** An API server with a model in each namespace. */
const client = {
  list: ({ resource, namespace = '' }: Collection) => {
    if (namespace === refused)
      return Promise.reject(new KubeRefusal(toStatus(403, '{}', undefined)));
    const { metadata, ...model } = sampleModel('a');
    const own = { ...model, metadata: { ...metadata, namespace, resourceVersion: '1' } };
    return Promise.resolve({
      resourceVersion: '1',
      items: resource === INFERENCE_MODELS ? [own] : [],
    });
  },
  async *watch(_selection: object, signal: AbortSignal) {
    await once(signal, 'abort');
    yield* [];
    throw signal.reason;
  },
  apply: ({ resource, namespace, name }: ObjectRef, { object }: { object: KubeObject }) => {
    if (resource === INFERENCE_MODELS) written.add(`${namespace}/${name}`);
    return Promise.resolve({ ...object, metadata: { ...object.metadata, resourceVersion: '2' } });
  },
  create: (_collection: Collection, { object }: { object: KubeObject }) => Promise.resolve(object),
} as unknown as KubeClient;

test('a namespace that the operator may not read delays no other namespace, and has a metric', async () => {
  const registry = createMetricsRegistry();
  const logged: string[] = [];
  const metrics = createOperatorMetrics({
    registry,
    watched: () => leading.watched,
    loads: () => ({}),
  });
  const leading = new Leading({
    client,
    clock,
    logger: createLogger({
      level: 'warn',
      destination: { write: (line) => void logged.push(line) },
    }),
    metrics,
    poll: () => Promise.resolve(null),
    now: () => NOW,
    identity: 'one',
    namespaces: ['photos', 'films'],
    requireDigests: false,
    requireLeader: () => undefined,
  });
  const failing = async () =>
    (await registry.getSingleMetricAsString('sightline_operator_watch_failing'))
      .split('\n')
      .filter((line) => !line.startsWith('#') && line !== '');
  const stop = new AbortController();
  const ended = leading.run(stop.signal).catch((error: unknown) => error);
  await clock.pass(1_000);
  expect([...written]).toEqual(['photos/a']);
  expect(await failing()).toContain(
    'sightline_operator_watch_failing{namespace="films",resource="inferencemodels"} 1',
  );
  expect((await failing()).join()).not.toContain('photos');
  // Each watch is logged once, without a stack, however often it is retried.
  const ofWatches = () => logged.filter((line) => line.includes('a watch failed'));
  const before = ofWatches();
  expect(before.length).toBeGreaterThanOrEqual((await failing()).length);
  await clock.pass(60_000);
  expect(ofWatches()).toEqual(before);
  expect(before.join()).toContain('"refusal":');
  expect(before.join()).not.toContain('"stack"');

  refused = null;
  await clock.pass(15_000);
  expect([...written]).toEqual(['photos/a', 'films/a']);
  expect(await failing()).toEqual([]);
  stop.abort(new Error('over'));
  expect(await ended).toBe(stop.signal.reason);
});
