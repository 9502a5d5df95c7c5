import { describe, expect, test } from '@jest/globals';
import type {
  InferenceModel,
  InferenceModelStatus,
} from '@sightline/contracts/cluster/inference-model';
import type { FailureReason } from './failures.ts';
import { sourceFingerprint } from './fetch.ts';
import { planGuestWithoutHost, planHost } from './plan-host.ts';
import type { HostSnapshot, ObservedFetch } from './snapshot.ts';
import {
  ago,
  answers,
  condition,
  NOW,
  revision,
  sampleHost,
  sampleModel,
  samplePod,
  sampleRoute,
  verifiedModel,
} from './testing/samples.ts';

const DEPLOYED = { deployment: { replicas: 1, refusal: null, rolloutMessage: null, stuck: null } };

function statusOf(snapshot: HostSnapshot, name = 'a') {
  return planHost(snapshot).statuses.get(name)!;
}

function conditionsOf(snapshot: HostSnapshot, name = 'a'): Record<string, string> {
  const { conditions = [] } = statusOf(snapshot, name);
  return Object.fromEntries(
    conditions.map(({ type, status, reason }) => [type, `${status} ${reason}`]),
  );
}

function fetchOf(model: InferenceModel, more: Partial<ObservedFetch>) {
  const source = sourceFingerprint(model);
  const job: ObservedFetch = {
    attempt: 1,
    source,
    isTerminating: false,
    startedAt: NOW - 10_000,
    progress: null,
    failure: null,
    end: null,
    ...more,
  };
  return { fetches: new Map([[model.metadata.name, job]]) };
}

test('the status of a host shows the largest pod, and keeps it while there are no pods', () => {
  const pods = [400, 578].map((mebibytes, at) =>
    samplePod(['a'], {
      name: `pod-${at}`,
      runtime: { threads: at + 1, memoryBytes: mebibytes * 2 ** 20 },
    }),
  );
  const host = verifiedModel('a', { standby: 'Warm', replicas: 2 });
  const guest = verifiedModel('b', { podsOf: 'a' });
  const loaded = sampleHost(host, { guests: [guest], pods });
  const status = statusOf(loaded);
  expect(status.runtime).toEqual({
    threads: 2,
    warmUpMemory: '578Mi',
    suggestedRequests: { cpu: '2', memory: '896Mi' },
  });
  expect(statusOf(loaded, 'b').runtime).toBeUndefined();
  expect(statusOf(sampleHost({ ...host, status })).runtime).toEqual(status.runtime);
});

test('a new model is fetched, and no pod loads it', () => {
  const plan = planHost(sampleHost(sampleModel('a')));
  expect(plan.fetches.get('a')).toMatchObject({ job: 'make', attempt: 1 });
  expect(plan.replicas).toBeNull();
  expect(plan.serving).toEqual({ provider: 'auto', models: [] });
  expect(plan.statuses.get('a')).toMatchObject({
    state: 'Fetching',
    observedGeneration: 1,
    host: 'a',
    pods: { desired: 0, warm: 0, summary: '0/0' },
    replicas: 0,
  });
});

test('with standby None nothing is fetched until a route names it', () => {
  const model = sampleModel('a', { standby: 'None' });
  expect(statusOf(sampleHost(model)).state).toBe('Available');
  expect(conditionsOf(sampleHost(model))).toMatchObject({ Ready: 'True NotRequested' });
  const routed = sampleHost(model, { routes: [sampleRoute('face', { model: 'a' })] });
  expect(planHost(routed).fetches.get('a')).toMatchObject({ job: 'make' });
  expect(statusOf(routed)).toMatchObject({ state: 'Fetching', routes: ['face'] });
});

test('a verified pack is kept, and its Job is deleted once the status has the pack', () => {
  const model = sampleModel('a');
  const pack = { name: 'a', revision: revision('a') };
  const fetched = sampleHost(model, fetchOf(model, { end: { at: NOW, pack } }));
  expect(statusOf(fetched)).toMatchObject({
    state: 'Verified',
    pack: { ...pack, shortRevision: revision('a').slice(0, 12) },
  });
  expect(planHost(fetched).fetches.get('a')!.job).toBe('leave');
  const stored = sampleHost(sampleModel('a', {}, statusOf(fetched)));
  expect(planHost(stored).fetches.get('a')!.job).toBe('remove');
  expect(statusOf(stored)).toEqual(statusOf(fetched));
});

test('a failed fetch is retried after growing pauses, but not after a final failure', () => {
  const model = sampleModel('a');
  const failure = { reason: 'SourceUnreachable', message: 'no answer' } as const;
  const failed = fetchOf(model, { attempt: 3, end: { at: NOW, failure } });
  const snapshot = sampleHost(model, failed);
  const { lastFailure, state } = statusOf(snapshot);
  expect([state, lastFailure?.reason, lastFailure?.count]).toEqual([
    'Failed',
    'SourceUnreachable',
    3,
  ]);
  const pause = Date.parse(lastFailure!.retryAt!) - NOW;
  expect(pause).toBeGreaterThanOrEqual(15_000);
  expect(pause).toBeLessThanOrEqual(24_000);
  expect(planHost(snapshot).fetches.get('a')!.job).toBe('leave');
  const due = { ...snapshot, now: NOW + pause };
  expect(planHost(due).fetches.get('a')!.job).toBe('remove');
  const removed = sampleHost(sampleModel('a', {}, statusOf(due)), { now: NOW + pause });
  expect(planHost(removed).fetches.get('a')).toMatchObject({ job: 'make', attempt: 4 });
  const wrong = { reason: 'DigestMismatch', message: 'other bytes' } as const;
  const final = sampleHost(
    model,
    fetchOf(model, { end: { at: NOW - 86_400_000, failure: wrong } }),
  );
  expect(planHost(final).fetches.get('a')!.job).toBe('leave');
  expect(conditionsOf(final)).toMatchObject({
    Ready: 'False DigestMismatch',
    Stalled: 'True DigestMismatch',
    Reconciling: 'False DigestMismatch',
  });
});

test.each(['DigestMismatch', 'SourceUnreachable'] as const)(
  'another source is fetched at once, even after %s',
  (reason) => {
    const model = sampleModel('a');
    const failure = { reason, message: 'no' };
    const failed = fetchOf(model, { attempt: 9, end: { at: NOW, failure } });
    const { lastFailure } = statusOf(sampleHost(model, failed));
    const source = { http: { url: 'https://example.org/a.zip' } };
    const other = sampleHost(sampleModel('a', { source }, { lastFailure }), failed);
    expect(planHost(other).fetches.get('a')).toMatchObject({ job: 'renew', attempt: 1 });
    expect(statusOf(other).state).toBe('Fetching');
  },
);

test.each(['NotFound', 'AccessDenied'] as const)(
  'a fetch that ended with %s is retried, because the source or the Secret may change',
  (reason) => {
    const failed = (secondsAgo: number) => {
      const end = { at: NOW - secondsAgo * 1_000, failure: { reason, message: 'no' } };
      return sampleHost(sampleModel('a'), fetchOf(sampleModel('a'), { end }));
    };
    expect(statusOf(failed(0)).lastFailure?.retryAt).toBeDefined();
    expect(conditionsOf(failed(0))).toMatchObject({ Stalled: 'False NotStalled' });
    const jobs = [0, 60].map((seconds) => planHost(failed(seconds)).fetches.get('a')!.job);
    expect(jobs).toEqual(['leave', 'remove']);
  },
);

test('a waiting fetch follows the current spec, and a running fetch continues', () => {
  const model = sampleModel('a');
  const failure = { reason: 'ImageUnavailable', message: 'ErrImagePull' } as const;
  const jobWith = (more: Partial<ObservedFetch>) =>
    planHost(sampleHost(model, fetchOf(model, more))).fetches.get('a')!.job;
  expect([jobWith({ failure }), jobWith({})]).toEqual(['renew', 'make']);
});

test('bytes of another revision than the pinned revision are refused', () => {
  const model = sampleModel('a', { revision: revision('a') });
  const pack = { name: 'a', revision: revision('b') };
  const fetched = sampleHost(model, fetchOf(model, { end: { at: NOW, pack } }));
  expect(conditionsOf(fetched)).toMatchObject({ Verified: 'False RevisionMismatch' });
  expect(statusOf(fetched).pack).toBeUndefined();
});

test('if digests are required, a model without a digest is not fetched', () => {
  const source = { http: { url: 'https://example.org/a.zip' } };
  const snapshot = sampleHost(sampleModel('a', { source }), { requireDigests: true });
  expect(planHost(snapshot).fetches.get('a')!.job).toBe('remove');
  expect(conditionsOf(snapshot)).toMatchObject({ Stalled: 'True DigestRequired' });
  const given = sampleModel('a', { source: { ...source, sha256: revision('a') } });
  const named = sampleHost(given, { requireDigests: true });
  expect(planHost(named).fetches.get('a')!.job).toBe('make');
});

test('without an installation nothing is created, and loaded models go on serving', () => {
  const missing = sampleHost(sampleModel('a'), { notInstalled: 'There is none.' });
  expect(planHost(missing).fetches.get('a')!.job).toBe('leave');
  expect(statusOf(missing)).toMatchObject({
    state: 'Pending',
    lastFailure: { reason: 'InstallationMissing', count: 1 },
  });
  const route = sampleRoute('face', { model: 'a' }, { active: answers('a', 600) });
  const active = sampleHost(verifiedModel('a'), {
    ...DEPLOYED,
    notInstalled: 'There is none.',
    routes: [route],
    pods: [samplePod(['a'])],
  });
  expect(statusOf(active).state).toBe('Active');
  expect(conditionsOf(active).Ready).toBe('True Ready');
});

test('a routed model is loaded in its own pods, and Warm once all of them have loaded it', () => {
  const routes = [sampleRoute('face', { model: 'a' })];
  const model = verifiedModel('a', { replicas: 2, packName: 'buffalo_l' });
  const warming = sampleHost(model, { routes });
  expect(planHost(warming)).toMatchObject({
    replicas: 2,
    serving: {
      models: [{ name: 'buffalo_l', task: 'face', revision: revision('a'), keep: 'loaded' }],
    },
  });
  expect(conditionsOf(warming)).toMatchObject({
    Warm: 'False PodsMissing',
    Reconciling: 'True PodsMissing',
  });
  const half = {
    ...warming,
    deployment: { replicas: 2, refusal: null, rolloutMessage: null, stuck: null },
    pods: [samplePod(['a'])],
  };
  expect(statusOf(half)).toMatchObject({ state: 'Warming', pods: { summary: '1/2' } });
  const all = { ...half, pods: [samplePod(['a']), samplePod(['a'], { name: 'pod-2' })] };
  expect(statusOf(all)).toMatchObject({ state: 'Warm', pods: { desired: 2, warm: 2 } });
  expect(conditionsOf(all)).toEqual({
    Verified: 'True Verified',
    Warm: 'True Warm',
    Active: 'False Waiting',
    CredentialsCurrent: 'True OneKey',
    Ready: 'True Ready',
    Reconciling: 'False Done',
    Stalled: 'False NotStalled',
  });
});

test('a host that is no longer requested has no pods, and one that never was gets no Deployment', () => {
  const idle = verifiedModel('a', { standby: 'Disk' });
  expect(planHost(sampleHost(idle)).replicas).toBeNull();
  const plan = planHost(sampleHost(idle, DEPLOYED));
  expect(plan.replicas).toBe(0);
  expect(plan.serving.models).toMatchObject([{ keep: 'disk' }]);
  expect(planHost(sampleHost(verifiedModel('a', { standby: 'Warm' }))).replicas).toBe(1);
});

test('a host loads requested guests, even if it is not requested itself', () => {
  const guest = verifiedModel('b', { podsOf: 'a', task: 'Object' });
  const routes = [sampleRoute('object', { model: 'b' })];
  const snapshot = sampleHost(verifiedModel('a', { task: 'Object' }), { guests: [guest], routes });
  const plan = planHost(snapshot);
  expect(plan.replicas).toBe(1);
  expect(plan.serving.models).toMatchObject([{ name: 'b', keep: 'loaded' }]);
  expect(plan.statuses.get('a')).toMatchObject({ state: 'Verified', routes: ['object'] });
  expect(plan.statuses.get('b')).toMatchObject({ state: 'Warming', host: 'a' });
  expect(plan.statuses.get('b')).not.toHaveProperty('selector');
});

test('a suspended model has no pods, and nothing else changes', () => {
  const routes = [sampleRoute('face', { model: 'a' })];
  const suspended = verifiedModel('a', { suspend: true });
  const snapshot = sampleHost(suspended, { ...DEPLOYED, routes, pods: [samplePod(['a'])] });
  expect(planHost(snapshot).replicas).toBe(0);
  expect(statusOf(snapshot).state).toBe('Suspended');
  expect(conditionsOf(snapshot)).toMatchObject({
    Ready: 'False Suspended',
    Verified: 'True Verified',
  });
});

describe('an active model that no pod serves', () => {
  const face = sampleRoute('face', { model: 'a' }, { active: answers('a', 3600) });
  const object = sampleRoute('object', { model: 'b' }, { active: answers('b', 3600) });
  const guest = verifiedModel('b', { podsOf: 'a', task: 'Object' });

  test.each([
    ['its 0 replicas', verifiedModel('a', { replicas: 0 }), 'it has 0 replicas'],
    ['its suspension', verifiedModel('a', { suspend: true }), 'it is suspended'],
    ['the readiness of its pods', verifiedModel('a'), 'no ready pod has loaded it'],
  ])('has the state NotServing, with %s as the reason', (_, host, why) => {
    const pods = [samplePod(['a'], { readySince: null })];
    const status = statusOf(sampleHost(host, { ...DEPLOYED, routes: [face], pods }));
    expect(status.state).toBe('NotServing');
    const active = status.conditions!.find(({ type }) => type === 'Active');
    expect(active).toMatchObject({ reason: 'NotServing', message: expect.stringContaining(why) });
    expect(status.conditions!.find(({ type }) => type === 'Ready')!.status).toBe('False');
  });

  test.each([{ suspend: true }, { replicas: 0 }])('may be a guest of a host with %j', (spec) => {
    const snapshot = { ...DEPLOYED, guests: [guest], routes: [object], pods: [] };
    const plan = planHost(sampleHost(verifiedModel('a', spec), snapshot));
    const status = plan.statuses.get('b')!;
    expect([plan.replicas, status.state]).toEqual([0, 'NotServing']);
    const active = status.conditions!.find(({ type }) => type === 'Active');
    expect(active!.message).toContain('InferenceModel a, whose pods should load it, is suspended');
    expect(plan.statuses.get('a')!.routes).toEqual(['object']);
  });

  test('is not assumed because a ready pod does not answer the operator', () => {
    const snapshot = { ...DEPLOYED, routes: [face], pods: [samplePod([])] };
    expect(statusOf(sampleHost(verifiedModel('a'), snapshot)).state).toBe('Active');
  });
});

test('a rejection of pods is reported with its message', () => {
  const routes = [sampleRoute('face', { model: 'a' })];
  const refusal = 'memory request must be less than the limit';
  const refused = statusOf(sampleHost(verifiedModel('a'), { routes, refusal }));
  const lastFailure = { reason: 'Refused', message: refusal };
  expect(refused).toMatchObject({ state: 'Failed', lastFailure });
  const deployment = { replicas: 0, refusal: 'exceeded quota', rolloutMessage: null, stuck: null };
  const limited = statusOf(sampleHost(verifiedModel('a'), { routes, deployment }));
  expect(limited.lastFailure).toMatchObject({ reason: 'Unschedulable', message: 'exceeded quota' });
});

test('a rejection of a fetch is reported only for its model, and the fetch is retried', () => {
  const message = 'exceeded quota: jobs';
  const more = {
    guests: [sampleModel('b', { podsOf: 'a' })],
    fetchRefusals: new Map([['b', message]]),
  };
  const snapshot = sampleHost(sampleModel('a'), more);
  expect(statusOf(snapshot).state).toBe('Fetching');
  const refused = statusOf(snapshot, 'b');
  expect(refused).toMatchObject({
    state: 'Failed',
    lastFailure: { reason: 'Refused', message, retryAt: expect.any(String) },
  });
  expect(conditionsOf(snapshot, 'b')).toMatchObject({
    Verified: 'False Refused',
    Ready: 'False Refused',
  });
  const waiting = sampleHost(sampleModel('b', {}, refused));
  expect(planHost(waiting).fetches.get('b')!.job).toBe('leave');
  const now = Date.parse(refused.lastFailure!.retryAt!);
  expect(planHost({ ...waiting, now }).fetches.get('b')!.job).toBe('make');
});

test('a rejected rollout is reported while the existing pods serve', () => {
  const routes = [sampleRoute('face', { model: 'a' }, { active: answers('a', 600) })];
  const refusal = 'memory request must be less than the limit';
  const snapshot = sampleHost(verifiedModel('a'), {
    ...DEPLOYED,
    routes,
    refusal,
    pods: [samplePod(['a'])],
  });
  expect(conditionsOf(snapshot)).toMatchObject({
    Ready: 'True Ready',
    Reconciling: 'True Rollout',
  });
});

test('an active model that no pod has loaded does not claim to serve requests', () => {
  const routes = [sampleRoute('face', { model: 'a' }, { active: answers('a', 600) })];
  const message = (pods: HostSnapshot['pods']) =>
    statusOf(sampleHost(verifiedModel('a'), { ...DEPLOYED, routes, pods })).conditions!.find(
      ({ type }) => type === 'Active',
    )!.message;
  expect([message([samplePod(['a'])]), message([])]).toEqual([
    'It serves requests.',
    'It is the active model, but no ready pod has loaded it.',
  ]);
});

test('during a switch both models are loaded; the previous one drains, is kept, and then follows its standby', () => {
  const guests = [verifiedModel('b', { podsOf: 'a' })];
  const route = (status: object) => [sampleRoute('face', { model: 'b' }, status)];
  const snapshot = (status: object) =>
    sampleHost(verifiedModel('a'), { ...DEPLOYED, guests, routes: route(status) });
  const keeps = (status: object) =>
    planHost(snapshot(status)).serving.models.map(({ name, keep }) => `${name} ${keep}`);
  expect(keeps({ active: answers('a', 600) })).toEqual(['a loaded', 'b loaded']);
  const switched = { active: answers('b', 90), previous: { model: 'a' } };
  expect(keeps(switched)).toEqual(['b loaded', 'a loaded']);
  expect(statusOf(snapshot(switched)).state).toBe('Draining');
  const drained = { ...switched, conditions: [condition('Drained', 'True', ago(10))] };
  expect(keeps(drained)).toEqual(['b loaded', 'a loaded']);
  const over = {
    active: answers('b', 900),
    previous: { model: 'a' },
    conditions: [condition('Drained', 'True', ago(601))],
  };
  expect(keeps(over)).toEqual(['b loaded']);
  expect(statusOf(snapshot(over)).state).toBe('Verified');
});

test('a newer request replaces a kept model, but waits for a draining one', () => {
  const guests = [verifiedModel('b', { podsOf: 'a' }), verifiedModel('c', { podsOf: 'a' })];
  const keeps = (status: object) => {
    const routes = [sampleRoute('face', { model: 'c' }, status)];
    return planHost(sampleHost(verifiedModel('a'), { ...DEPLOYED, guests, routes }));
  };
  const switched = { active: answers('b', 90), previous: { model: 'a' } };
  const draining = keeps(switched);
  expect(draining.serving.models.map(({ name, keep }) => `${name} ${keep}`)).toEqual([
    'b loaded',
    'a loaded',
    'c disk',
  ]);
  expect(draining.statuses.get('c')!.conditions).toContainEqual(
    expect.objectContaining({ type: 'Ready', status: 'False', reason: 'Waiting' }),
  );
  const drained = { ...switched, conditions: [condition('Drained', 'True', ago(10))] };
  expect(keeps(drained).serving.models.map(({ name }) => name)).toEqual(['b', 'c']);
});

test('a model that pods cannot load is deferred until its pause is over, and the active model stays', () => {
  const routes = [sampleRoute('face', { model: 'b' }, { active: answers('a', 600) })];
  const failing = {
    name: 'b',
    state: 'failed',
    failure: { reason: 'OutOfDeviceMemory', message: 'CUDA' },
  } as const;
  const more = { ...DEPLOYED, routes, pods: [samplePod(['a', failing])] };
  const guest = verifiedModel('b', { podsOf: 'a' });
  const first = statusOf(sampleHost(verifiedModel('a'), { ...more, guests: [guest] }), 'b');
  expect(first).toMatchObject({
    state: 'Failed',
    lastFailure: { reason: 'OutOfDeviceMemory', message: 'CUDA', pod: 'pod-1', count: 1 },
  });
  const paused = verifiedModel('b', { podsOf: 'a' }, { lastFailure: first.lastFailure! });
  const keeps = (now: number) => {
    const snapshot = sampleHost(verifiedModel('a'), { ...more, guests: [paused], now });
    return planHost(snapshot).serving.models.map(({ name, keep }) => `${name} ${keep}`);
  };
  expect(keeps(NOW + 1000)).toEqual(['a loaded', 'b disk']);
  const retryAt = Date.parse(first.lastFailure!.retryAt!);
  expect(keeps(retryAt)).toEqual(['a loaded', 'b loaded']);
  const again = (now: number) =>
    statusOf(sampleHost(verifiedModel('a'), { ...more, guests: [paused], now }), 'b');
  // The pod still reports the failure of the previous attempt.
  expect(again(retryAt + 500)).toMatchObject({ state: 'Warming', lastFailure: { count: 1 } });
  expect(again(retryAt + 10_000)).toMatchObject({ state: 'Failed', lastFailure: { count: 2 } });
});

const FETCH_FAILURES = ['DigestMismatch', 'PackRefused', 'TaskMismatch', 'NoSpace'] as const;

test.each(FETCH_FAILURES)(
  'a model whose fetch failed with %s is loaded once its source is fixed',
  (reason) => {
    const routes = [sampleRoute('face', { model: 'a' })];
    const failure = { reason, message: 'no' };
    const failed = fetchOf(sampleModel('a'), { end: { at: NOW, failure } });
    const first = statusOf(sampleHost(sampleModel('a'), { ...failed, routes }));
    expect(first.lastFailure).toMatchObject({ reason });
    const fixed = sampleModel('a', { source: { http: { url: 'https://b.c/d' } } }, first);
    const pack = { revision: revision('a') };
    const fetched = planHost(
      sampleHost(fixed, { ...fetchOf(fixed, { end: { at: NOW, pack } }), routes }),
    );
    const status = fetched.statuses.get('a')!;
    expect(status).toMatchObject({ state: 'Warming' });
    expect(status).not.toHaveProperty('lastFailure');
    expect(fetched.serving.models).toMatchObject([{ keep: 'loaded' }]);
    const warm = { ...DEPLOYED, routes, pods: [samplePod(['a'])] };
    const verified = sampleHost(sampleModel('a', {}, status), warm);
    expect(planHost(verified).serving.models).toMatchObject([{ keep: 'loaded' }]);
    expect(conditionsOf(verified)).toMatchObject({ Ready: 'True Ready' });
  },
);

/** A host whose pods have loaded the active model `a` and should also load the requested model `b`. */
function successor(more: Partial<HostSnapshot>, status?: InferenceModelStatus) {
  const routes = [sampleRoute('face', { model: 'b' }, { active: answers('a', 600) })];
  const guests = [verifiedModel('b', { podsOf: 'a' }, status)];
  return sampleHost(verifiedModel('a'), { ...DEPLOYED, routes, guests, ...more });
}

function keepsOf(snapshot: HostSnapshot): readonly string[] {
  return planHost(snapshot).serving.models.map(({ name, keep }) => `${name} ${keep}`);
}

test('pods without memory for a second model load only the active one until the next attempt', () => {
  const failure = { reason: 'OutOfMemory', message: 'Too much.', pod: 'pod-1' } as const;
  const killed = { pods: [samplePod([], { readySince: null, failure })] };
  const running = { pods: [samplePod(['a'])] };
  expect(keepsOf(successor(killed))).toEqual(['a loaded', 'b disk']);
  const first = statusOf(successor(killed), 'b');
  expect(first.lastFailure).toMatchObject({ ...failure, count: 1 });
  expect(keepsOf(successor({ ...running, now: NOW + 1_000 }, first))).toEqual([
    'a loaded',
    'b disk',
  ]);
  const retryAt = Date.parse(first.lastFailure!.retryAt!);
  expect(keepsOf(successor({ ...running, now: retryAt }, first))).toEqual(['a loaded', 'b loaded']);
  // The pods are still failing for lack of memory, so model `b` is not tried although its pause is over.
  const late = successor({ ...killed, now: retryAt }, first);
  expect(keepsOf(late)).toEqual(['a loaded', 'b disk']);
  const postponed = { ...first.lastFailure, retryAt: ago((2 * (NOW - retryAt)) / 1000) };
  expect(statusOf(late, 'b').lastFailure).toEqual(postponed);
  const tried = statusOf(successor({ ...running, now: retryAt }, first), 'b');
  const again = successor({ ...killed, now: retryAt + 2_000 }, tried);
  expect(statusOf(again, 'b').lastFailure).toMatchObject({ count: 2 });
});

const REPLICAS = { deployment: { ...DEPLOYED.deployment, replicas: 3 } };

/**
 * Three pods. The first one has failed: it ended this many seconds ago or, without `secondsAgo`, its container is
 * restarted again and again. The others have loaded the models.
 */
function podsWith(reason: FailureReason, models: readonly string[], secondsAgo?: number) {
  const failure = { reason, message: 'Too much.', pod: 'pod-1' };
  const endedAt = secondsAgo === undefined ? null : NOW - secondsAgo * 1000;
  const others = ['pod-2', 'pod-3'].map((name) => samplePod(models, { name }));
  return [samplePod([], { readySince: null, endedAt, failure }), ...others];
}

test.each([
  ['killed for its memory', 'OutOfMemory', undefined],
  ['evicted for its memory', 'OutOfMemory', 1],
  ['evicted for its disk space', 'NoSpace', 1],
] as const)('after a pod was %s, the other pods keep their models', (_what, reason, secondsAgo) => {
  const pods = podsWith(reason, ['a', 'b'], secondsAgo);
  const snapshot = successor({ ...REPLICAS, pods });
  const host = { ...snapshot.host, spec: { ...snapshot.host.spec, replicas: 3 } };
  const held = { ...snapshot, host };
  expect(keepsOf(held)).toEqual(['a loaded', 'b loaded']);
  expect(statusOf(held, 'b')).toMatchObject({ state: 'Warming', pods: { summary: '2/3' } });
  expect(statusOf(held, 'b')).not.toHaveProperty('lastFailure');
  expect(conditionsOf(held, 'b').Warm).toBe('False Loading');
  const warm = statusOf(held, 'b').conditions!.find(({ type }) => type === 'Warm')!;
  expect(warm.message).toBe('Loaded in 2 of 3 pods. Pod pod-1: Too much.');
  expect(statusOf(held).lastFailure).toMatchObject({ reason });
});

test('a model that no pod has loaded is deferred when a pod is killed for its memory', () => {
  const killed = successor({ ...REPLICAS, pods: podsWith('OutOfMemory', ['a']) });
  expect(keepsOf(killed)).toEqual(['a loaded', 'b disk']);
  expect(statusOf(killed, 'b').lastFailure).toMatchObject({ reason: 'OutOfMemory' });
});

test.each(['OutOfMemory', 'NoSpace'] as const)(
  'an eviction with %s counts once, and does not defer a later attempt',
  (reason) => {
    const pods = podsWith(reason, ['a'], 1);
    const first = statusOf(successor({ ...REPLICAS, pods }), 'b');
    expect(first.lastFailure).toMatchObject({ reason, count: 1 });
    const retryAt = Date.parse(first.lastFailure!.retryAt!);
    expect(keepsOf(successor({ pods, now: retryAt - 1000 }, first))).not.toContain('b loaded');
    for (const now of [retryAt, retryAt + 10_000]) {
      const again = successor({ pods, now }, first);
      expect(keepsOf(again)).toEqual(['a loaded', 'b loaded']);
      expect(statusOf(again, 'b')).toMatchObject({ state: 'Warming', lastFailure: { count: 1 } });
    }
    const later = podsWith(reason, ['a'], -20);
    const evicted = statusOf(successor({ pods: later, now: NOW + 20_000 }, first), 'b');
    expect(evicted.lastFailure).toMatchObject({ count: 2 });
  },
);

test('without both an active and a pending model, a lack of memory defers no model', () => {
  const failure = { reason: 'OutOfMemory', message: 'Too much.' } as const;
  const pods = [samplePod([], { readySince: null, failure })];
  const answering = [sampleRoute('face', { model: 'a' }, { active: answers('a', 600) })];
  for (const routes of [answering, [sampleRoute('face', { model: 'a' })]]) {
    const snapshot = sampleHost(verifiedModel('a'), { ...DEPLOYED, routes, pods });
    expect(keepsOf(snapshot)).toEqual(['a loaded']);
    expect(statusOf(snapshot).lastFailure).toMatchObject(failure);
  }
});

test('a lack of memory defers the model that a route requests, before one with standby Warm', () => {
  const failure = { reason: 'OutOfMemory', message: 'Too much.' } as const;
  const pods = [samplePod([], { readySince: null, failure })];
  const warm = { podsOf: 'a', task: 'Object', standby: 'Warm' } as const;
  const { guests, ...more } = successor({ pods });
  const both = { ...more, guests: [...guests, verifiedModel('c', warm)] };
  expect(keepsOf(both)).toEqual(['a loaded', 'b disk', 'c loaded']);
  const { lastFailure } = statusOf(both, 'c');
  const beside = {
    ...more,
    guests: [...guests, verifiedModel('c', warm, { lastFailure: lastFailure! })],
  };
  expect(keepsOf(beside)).toEqual(['a loaded', 'b disk', 'c loaded']);
  const route = sampleRoute('face', { model: 'a' }, { active: answers('a', 600) });
  expect(keepsOf({ ...both, routes: [route] })).toEqual(['a loaded', 'c disk']);
  // Model `b` is still being fetched, so it cannot be to blame.
  const fetched = [sampleModel('b', { podsOf: 'a' }), verifiedModel('c', warm)];
  expect(keepsOf({ ...more, guests: fetched })).toEqual(['a loaded', 'c disk']);
});

test('pods without disk space for a second model load only the active one', () => {
  const failure = { reason: 'NoSpace', message: 'ENOSPC' } as const;
  const pods = [samplePod(['a', { name: 'b', state: 'failed', failure }])];
  const first = statusOf(successor({ pods }), 'b');
  expect(first.lastFailure).toMatchObject(failure);
  // Pods do not even keep the files of model `b` on disk, because the disk is full.
  expect(keepsOf(successor({ pods }, first))).toEqual(['a loaded']);
  const retryAt = Date.parse(first.lastFailure!.retryAt!);
  expect(keepsOf(successor({ pods, now: retryAt }, first))).toEqual(['a loaded', 'b loaded']);
});

test('a host keeps its pods while their only model waits for disk space', () => {
  const failure = { reason: 'NoSpace', message: 'ENOSPC' } as const;
  const pods = [samplePod([{ name: 'a', state: 'failed', failure }], { readySince: null })];
  const more = { ...DEPLOYED, pods, routes: [sampleRoute('face', { model: 'a' })] };
  const first = statusOf(sampleHost(verifiedModel('a'), more));
  const plan = planHost(sampleHost(verifiedModel('a', {}, first), more));
  expect(plan).toMatchObject({ replicas: 1, serving: { models: [] } });
});

test('pods that cannot start are reported with the message of the scheduler', () => {
  const message = '0/3 nodes are available: 3 Insufficient nvidia.com/gpu';
  const failure = { reason: 'Unschedulable', message } as const;
  const routes = [sampleRoute('face', { model: 'a' })];
  const pods = [samplePod([], { readySince: null, failure })];
  const snapshot = sampleHost(verifiedModel('a'), { ...DEPLOYED, routes, pods });
  expect(statusOf(snapshot)).toMatchObject({
    state: 'Failed',
    lastFailure: { reason: 'Unschedulable', message },
  });
  const surge = sampleHost(verifiedModel('a'), {
    routes,
    pods: [samplePod(['a']), ...pods],
    deployment: {
      replicas: 2,
      refusal: null,
      rolloutMessage: `Pod x: ${message}.`,
      stuck: `Pod x: ${message}.`,
    },
  });
  expect(conditionsOf(surge)).toMatchObject({
    Ready: 'True Ready',
    Reconciling: 'True Rollout',
    Stalled: 'True ProgressDeadlineExceeded',
  });
  expect(statusOf(surge).conditions!.find(({ type }) => type === 'Stalled')!.message).toContain(
    'rollout.type: Replace',
  );
});

test('the transition time of a condition changes only with its status', () => {
  const first = statusOf(sampleHost(sampleModel('a')));
  const later = sampleHost(sampleModel('a', {}, first), { now: NOW + 60_000 });
  expect(statusOf(later).conditions).toEqual(first.conditions);
  const pack = { revision: revision('a') };
  const verified = statusOf({
    ...later,
    ...fetchOf(sampleModel('a'), { end: { at: NOW, pack } }),
  });
  const times = Object.fromEntries(
    verified.conditions!.map(({ type, lastTransitionTime }) => [type, lastTransitionTime]),
  );
  expect(times).toMatchObject({ Verified: '2026-03-01T12:01:00Z', Warm: '2026-03-01T12:00:00Z' });
});

test('a guest without a host reports that', () => {
  const missing = { reason: 'PodsOfMissing', message: 'There is no InferenceModel a.' } as const;
  const guest = verifiedModel('b', { podsOf: 'a' });
  expect(planGuestWithoutHost(guest, { now: NOW, routes: [], missing })).toMatchObject({
    state: 'Pending',
    lastFailure: { reason: 'PodsOfMissing' },
  });
});
