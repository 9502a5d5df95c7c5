import type { FetchedPack } from '@sightline/contracts/cluster/fetch-end';
import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import type { Condition } from '../conditions.ts';
import type { HostSnapshot, ObservedPod, PodModel } from '../snapshot.ts';
import { toTime } from '../time.ts';

/** The current time of the samples, in ms since 1970. */
export const NOW = Date.parse('2026-03-01T12:00:00Z');
const apiVersion = 'sightline.dev/v1alpha1';

export function ago(seconds: number): string {
  return toTime(NOW - seconds * 1000);
}

/** A revision that begins with the name in hexadecimal. */
export function revision(name: string): string {
  return Buffer.from(name).toString('hex').padEnd(64, '0');
}

export function sampleModel(
  name: string,
  spec: Partial<InferenceModel['spec']> = {},
  status?: InferenceModel['status'],
): InferenceModel {
  return {
    apiVersion,
    kind: 'InferenceModel',
    metadata: { name, namespace: 'ns', uid: `uid-${name}`, generation: 1 },
    spec: {
      task: 'Face',
      source: { starter: {} },
      replicas: 1,
      rollout: { type: 'Surge' },
      standby: 'Store',
      suspend: false,
      ...spec,
    },
    ...(status !== undefined && { status }),
  };
}

/** A model whose pack is in the model store. */
export function verifiedModel(
  name: string,
  spec: Partial<InferenceModel['spec']> = {},
  status: InferenceModel['status'] = {},
): InferenceModel {
  const pack = { name, revision: revision(name) };
  return sampleModel(name, spec, { pack, conditions: [condition('Verified')], ...status });
}

export function condition(
  type: string,
  status: 'True' | 'False' = 'True',
  at = ago(3600),
): Condition {
  return { type, status, lastTransitionTime: at, reason: type, message: '' };
}

export function sampleRoute(
  name: 'face' | 'object',
  spec: Partial<InferenceRoute['spec']>,
  status: InferenceRoute['status'] = {},
): InferenceRoute {
  return {
    apiVersion,
    kind: 'InferenceRoute',
    metadata: { name, namespace: 'ns', uid: `uid-${name}`, generation: 1 },
    spec: {
      reembed: 'Before',
      keepPreviousSeconds: 600,
      drainTimeoutSeconds: 120,
      progressDeadlineSeconds: 1800,
      ...spec,
    },
    status,
  };
}

/** The active model in a route's status, as the worker writes it. */
export function answers(model: string, secondsAgo: number) {
  return { model, revision: revision(model), since: ago(secondsAgo) };
}

/** A pod that has been ready for an hour and has loaded models. */
export function samplePod(
  models: readonly (string | Partial<PodModel>)[],
  more: Partial<ObservedPod> = {},
): ObservedPod {
  return {
    name: 'pod-1',
    readySince: NOW - 3_600_000,
    isTerminating: false,
    endedAt: null,
    failure: null,
    runtime: null,
    keys: { accepted: 1, previousUsedSecondsAgo: null },
    models: models.map((model) => podModel(typeof model === 'string' ? { name: model } : model)),
    ...more,
  };
}

function podModel(model: Partial<PodModel>): PodModel {
  const { name = 'a' } = model;
  const warm = { state: 'warm', failure: null, lastRequestedSecondsAgo: null } as const;
  return { name, revision: revision(name), ...warm, ...model };
}

export function sampleHost(host: InferenceModel, more: Partial<HostSnapshot> = {}): HostSnapshot {
  return {
    now: NOW,
    host,
    guests: [],
    routes: [],
    notInstalled: null,
    requireDigests: false,
    deployment: null,
    refusal: null,
    fetchRefusals: new Map(),
    pods: [],
    fetches: new Map(),
    ...more,
  };
}

/** The result of a fetch. */
export function fetchedPack(revision: string): FetchedPack {
  return {
    name: 'a-pack',
    version: '1',
    revision,
    license: 'Apache-2.0',
    provides: ['landmarks'],
    components: [{ role: 'FaceDetector', file: 'detector.onnx', sha256: revision }],
    verifiedAt: '2026-11-20T10:00:00.000Z',
  };
}
