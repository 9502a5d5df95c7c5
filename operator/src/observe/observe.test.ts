import { expect, test } from '@jest/globals';
import { ago, fetchedPack, NOW, revision } from '../plan/testing/samples.ts';
import type { Job, Pod } from './kube-kinds.ts';
import { observeDeployment } from './observe-deployment.ts';
import { observeFetch } from './observe-fetch.ts';
import { observePod } from './observe-pod.ts';
import { podFailure } from './pod-failure.ts';

function podOf(status: Pod['status'] = {}): Pod {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'ns' }, status };
}

function waiting(reason: string, message?: string): Pod {
  const state = { waiting: { reason, ...(message !== undefined && { message }) } };
  return podOf({ containerStatuses: [{ state }] });
}

function ended(message: string, { exitCode = 1, reason = 'Error' } = {}): Pod {
  const terminated = { exitCode, reason, message };
  return podOf({ containerStatuses: [{ state: { terminated } }] });
}

function crashing(message: string, reason = 'Error'): Pod {
  const lastState = { terminated: { exitCode: 1, reason, message } };
  return podOf({
    containerStatuses: [{ state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState }],
  });
}

const unscheduled = podOf({
  conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes are available' }],
});
const unmounted = podOf({
  conditions: [{ type: 'PodReadyToStartContainers', status: 'False', lastTransitionTime: ago(61) }],
});

const VOLUMES = [
  { secret: { secretName: 'models-read' } },
  { configMap: { name: 'imodel-a' } },
  { persistentVolumeClaim: { claimName: 'models' } },
  {},
];

/** Builds Node's output for an uncaught error. */
const UNCAUGHT = `file:///app/apps/inference/src/main.ts:3
    throw new TypeError('fetch failed');
          ^

TypeError: fetch failed
    at async main (file:///app/apps/inference/src/main.ts:3:11) {
  [cause]: Error: connect ECONNREFUSED
      at afterConnect (node:net:1637:16)
}

Node.js v24.1.0
`;
const ERROR = { type: 'Error', message: 'The key file is empty.', stack: 'Error: …\n    at a' };
const LOGGED = {
  error: JSON.stringify({ level: 'fatal', err: ERROR, msg: 'the process ends' }),
  info: JSON.stringify({ level: 'info', msg: 'the serving file was read' }),
};

test.each([
  [podOf(), undefined, undefined],
  [unscheduled, 'Unschedulable', '0/3 nodes are available'],
  [
    waiting('ImagePullBackOff', 'Back-off pulling image'),
    'ImageUnavailable',
    'Back-off pulling image',
  ],
  [
    waiting('CreateContainerConfigError', 'secret "s" not found'),
    'SecretMissing',
    'secret "s" not found',
  ],
  [waiting('ContainerCreating'), undefined, undefined],
  [
    { ...unmounted, spec: { volumes: VOLUMES } },
    'SecretMissing',
    expect.stringContaining('all keys: Secret models-read, ConfigMap imodel-a, claim models.'),
  ],
  [crashing('{"reason":"NoDevice","message":"No GPU."}'), 'NoDevice', 'No GPU.'],
  [crashing('', 'OOMKilled'), 'OutOfMemory', 'The container needed more memory than its limit.'],
  [crashing('line one\nThe last words.'), 'LoadFailed', 'The last words.'],
  [crashing(UNCAUGHT), 'LoadFailed', 'TypeError: fetch failed'],
  [
    crashing('ync open (file:///app/a.ts:1:2)\n    at async main (file:///app/b.ts:3:4)'),
    'LoadFailed',
    'It ended with 1.',
  ],
  [crashing(`${LOGGED.error}\n${LOGGED.info}`), 'LoadFailed', 'The key file is empty.'],
  [crashing(LOGGED.info), 'LoadFailed', 'It ended with 1.'],
  [crashing(LOGGED.error.slice(9)), 'LoadFailed', 'It ended with 1.'],
  [crashing('{"level":"fatal","msg":"the start failed"}'), 'LoadFailed', 'the start failed'],
  [
    podOf({ reason: 'Evicted', message: 'The node was low on resource' }),
    'NoSpace',
    'The node was low on resource',
  ],
  [
    podOf({ reason: 'Evicted', message: 'The node was low on resource: memory.' }),
    'OutOfMemory',
    'The node was low on resource: memory.',
  ],
  [
    podOf({ ...ended('', { exitCode: 143 }).status, reason: 'Evicted', message: 'Too much.' }),
    'NoSpace',
    'Too much.',
  ],
])('the failure of a pod: %j', (...[pod, reason, message]) => {
  const found = podFailure(pod, NOW);
  expect(found?.reason).toBe(reason);
  if (message !== undefined) expect(found).toMatchObject({ message, pod: 'p' });
});

test('a pod is ready since the transition time of its condition', () => {
  const ready = { type: 'Ready', status: 'True', lastTransitionTime: ago(7) };
  const more = { now: NOW, answer: null };
  expect(observePod(podOf({ conditions: [ready] }), more)).toMatchObject({
    readySince: NOW - 7_000,
    isTerminating: false,
    failure: null,
  });
  expect(observePod(podOf(), more).readySince).toBeNull();
});

test('models in an answer that cannot be parsed are skipped', () => {
  const task = 'face';
  const warm = { name: 'a', task, revision: '1', state: 'warm', error: null };
  const good = { ...warm, lastRequestedSecondsAgo: 3 };
  const error = { reason: 'OutOfDeviceMemory', message: 'CUDA' };
  const failed = { name: 'b', task, revision: '2', state: 'failed', error };
  const models = [good, failed, { ...failed, error: 'It failed.' }, { name: 'c' }, null, 7];
  const observed = (answer: unknown) => observePod(podOf(), { now: NOW, answer });
  expect(observed({ models }).models).toEqual([
    { name: 'a', revision: '1', state: 'warm', failure: null, lastRequestedSecondsAgo: 3 },
    { name: 'b', revision: '2', state: 'failed', failure: error, lastRequestedSecondsAgo: null },
  ]);
  for (const answer of [null, 'x', {}, { models: {} }]) expect(observed(answer).models).toEqual([]);
  const runtime = { threads: 2, memoryBytes: 600_000_000 };
  expect(observed({ models, runtime: { ...runtime, since: 1 } }).runtime).toEqual(runtime);
  const faulty = [undefined, null, 'x', { threads: 0, memoryBytes: 1 }, { threads: 2 }];
  for (const one of faulty) expect(observed({ models, runtime: one }).runtime).toBeNull();
});

test('an unreadable attempt counts as the first', () => {
  const job = jobOf();
  const annotations = { ...job.metadata.annotations, 'sightline.dev/attempt': 'two' };
  const changed = { ...job, metadata: { ...job.metadata, annotations } };
  expect(observeFetch(changed, { now: NOW, pod: undefined, progress: null }).attempt).toBe(1);
});

function jobOf(type?: 'Complete' | 'Failed', reason?: string): Job {
  const annotations = { 'sightline.dev/attempt': '2', 'sightline.dev/source': 'abc' };
  const condition = { type: type ?? '', status: 'True', lastTransitionTime: ago(5) };
  const conditions = type === undefined ? [] : [{ ...condition, ...(reason && { reason }) }];
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'j', namespace: 'ns', annotations },
    status: { startTime: ago(60), conditions },
  };
}

test('the state and the end of a fetch', () => {
  const observe = (job: Job, pod?: Pod) => observeFetch(job, { now: NOW, pod, progress: null });
  expect(observe(jobOf(), waiting('ErrImagePull'))).toMatchObject({
    attempt: 2,
    source: 'abc',
    startedAt: NOW - 60_000,
    failure: { reason: 'ImageUnavailable' },
    end: null,
  });
  const startedAgo = (seconds: number): Job => ({
    ...jobOf(),
    status: { startTime: ago(seconds) },
  });
  expect(observe(startedAgo(59)).failure).toBeNull();
  expect(observe(startedAgo(60)).failure).toMatchObject({
    reason: 'Unschedulable',
    message: expect.stringContaining('a quota, a policy or a queue may prevent it'),
  });
  const pack = fetchedPack(revision('a'));
  const success = ended(JSON.stringify({ pack: { ...pack, news: 1 } }), { exitCode: 0 });
  expect(observe(jobOf('Complete'), success).end).toEqual({ at: NOW - 5_000, pack });
  const unknown = { failure: { reason: 'FetchFailed' } };
  expect(observe(jobOf('Complete')).end).toMatchObject(unknown);
  expect(observe(jobOf('Complete'), ended('{"pack":{}}', { exitCode: 0 })).end).toMatchObject(
    unknown,
  );
  expect(observe(jobOf('Failed')).end).toMatchObject(unknown);
  expect(observe(jobOf('Failed'), ended('Segmentation fault')).end).toMatchObject(unknown);
  // The pod has failed, but the watch has not reported the end of the Job yet.
  expect(observe(jobOf(), ended('Segmentation fault'))).toMatchObject(unknown);
  const refused = ended('{"reason":"DigestMismatch","message":"Other bytes."}');
  expect(observe(jobOf('Failed'), refused).end).toEqual({
    at: NOW - 5_000,
    failure: { reason: 'DigestMismatch', message: 'Other bytes.' },
  });
  expect(observe(jobOf('Failed', 'DeadlineExceeded')).end).toMatchObject({
    failure: { reason: 'DeadlineExceeded' },
  });
  expect(observe(jobOf('Failed'), podOf({ reason: 'Evicted' })).end).toMatchObject({
    failure: { reason: 'NoSpace' },
  });
});

test('a rollout without progress names the waiting pod', () => {
  const late = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    status: { replicas: 2, conditions: [late] },
  };
  const pod = observePod(unscheduled, { now: NOW, answer: null });
  expect(observeDeployment(deployment, [pod])).toEqual({
    replicas: 2,
    refusal: null,
    rolloutMessage: null,
    stuck: 'Pod p: 0/3 nodes are available',
  });
  expect(observeDeployment({ ...deployment, status: {} }, [pod])).toEqual({
    replicas: 0,
    refusal: null,
    rolloutMessage: null,
    stuck: null,
  });
  const message = 'exceeded quota: gpus';
  const failed = { type: 'ReplicaFailure', status: 'True', message };
  const refused = { ...deployment, status: { conditions: [failed] } };
  expect(observeDeployment(refused, []).refusal).toBe(message);
});

test('an ended pod has no models, and its failure is reported for a minute', () => {
  const model = { name: 'a', task: 'face', revision: '1', state: 'warm' };
  const endedAt = (seconds: number) => {
    const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: ago(seconds) }];
    const pod = podOf({ phase: 'Failed', reason: 'Evicted', message: 'Too much.', conditions });
    return observePod(pod, { now: NOW, answer: { models: [model] } });
  };
  const shown = { models: [], endedAt: NOW - 59_000, failure: { reason: 'NoSpace' } };
  expect(endedAt(59)).toMatchObject(shown);
  expect(endedAt(61)).toMatchObject({ models: [], failure: null });
});

test('a pod that was never ready ended at its eviction', () => {
  const unready = { type: 'Ready', status: 'False', lastTransitionTime: ago(300) };
  const disrupted = { type: 'DisruptionTarget', status: 'True', lastTransitionTime: ago(9) };
  const conditions = [unready, disrupted];
  const evicted = podOf({ phase: 'Failed', reason: 'Evicted', message: 'Too much.', conditions });
  expect(observePod(evicted, { now: NOW, answer: null })).toMatchObject({
    endedAt: NOW - 9_000,
    failure: { reason: 'NoSpace' },
  });
  const running = podOf({ phase: 'Running', conditions: [unready] });
  expect(observePod(running, { now: NOW, answer: null }).endedAt).toBeNull();
});

test('a rollout is in progress while pods of an older template remain, or pods of the newest are missing', () => {
  const deployment = (status: object) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: { replicas: 2 },
    status: { observedGeneration: 3, ...status },
  });
  const rolloutMessage = (status: object, pods: readonly Pod[] = []) =>
    observeDeployment(
      deployment(status),
      pods.map((pod) => observePod(pod, { now: NOW, answer: null })),
    ).rolloutMessage;
  expect(rolloutMessage({ replicas: 2, updatedReplicas: 2 })).toBeNull();
  expect(rolloutMessage({ replicas: 3, updatedReplicas: 2 })).toBe('Pods are being replaced.');
  expect(rolloutMessage({ replicas: 2 })).toBe('Pods are being replaced.');
  expect(rolloutMessage({ replicas: 3, updatedReplicas: 1 }, [unscheduled])).toBe(
    'Pod p: 0/3 nodes are available',
  );
});
