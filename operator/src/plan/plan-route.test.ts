import { expect, test } from '@jest/globals';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import { planRoute } from './plan-route.ts';
import type { ObservedPod } from './snapshot.ts';
import type { RouteSnapshot } from './route-facts.ts';
import {
  ago,
  answers,
  condition,
  NOW,
  revision,
  sampleModel,
  samplePod,
  sampleRoute,
  verifiedModel,
} from './testing/samples.ts';

const warm = { pods: { warm: 1 } };
const MODELS = [verifiedModel('a', {}, warm), verifiedModel('b', { podsOf: 'a' }, warm)];

function snapshotOf(route: InferenceRoute, more: Partial<RouteSnapshot> = {}): RouteSnapshot {
  const pods = [samplePod(['a', 'b'])];
  return {
    now: NOW,
    route,
    models: withPacks(),
    pods,
    podsDesired: 1,
    previousRequested: 0,
    ...more,
  };
}

function withPacks() {
  return MODELS.map((model) => {
    const pack = { revision: revision(model.metadata.name) };
    return { ...model, status: { ...model.status, pack } };
  });
}

function planned(route: InferenceRoute, more: Partial<RouteSnapshot> = {}) {
  const { status } = planRoute(snapshotOf(route, more));
  const conditions = status.conditions!.map((each) => [each.type, `${each.status} ${each.reason}`]);
  return { ...status, conditions: Object.fromEntries(conditions) as Record<string, string> };
}

/** A route with the planned status and the worker's part of the status. */
function stored(snapshot: RouteSnapshot, more: InferenceRoute['status'] = {}): InferenceRoute {
  const { status } = planRoute(snapshot);
  return { ...snapshot.route, status: { ...snapshot.route.status, ...status, ...more } };
}

test('a route to a missing model reports that, and the active model goes on serving', () => {
  const route = sampleRoute('face', { model: 'c' });
  expect(planned(route)).toMatchObject({
    phase: 'Empty',
    desired: { model: 'c' },
    conditions: { Ready: 'False NoActiveModel', Stalled: 'True ModelMissing' },
  });
  const answering = sampleRoute('face', { model: 'c' }, { active: answers('a', 60) });
  expect(planned(answering)).toMatchObject({
    phase: 'Stalled',
    conditions: { Ready: 'False SwitchPending', Stalled: 'True ModelMissing' },
  });
});

test('a model of another task is refused', () => {
  const models = [sampleModel('a', { task: 'Object' })];
  expect(planned(sampleRoute('face', { model: 'a' }), { models })).toMatchObject({
    phase: 'Empty',
    conditions: { Stalled: 'True TaskMismatch' },
  });
});

test('spec.model overrides defaultModel', () => {
  expect(planned(sampleRoute('face', { defaultModel: 'a' })).desired).toMatchObject({ model: 'a' });
  const both = sampleRoute('face', { model: 'b', defaultModel: 'a' });
  expect(planned(both).desired).toMatchObject({
    model: 'b',
    revision: revision('b'),
    shortRevision: revision('b').slice(0, 12),
    since: ago(0),
  });
});

test('a model is available once every ready pod has loaded it, and at most one pod is missing', () => {
  const route = sampleRoute('face', { model: 'a' });
  const available = (podsDesired: number, pods: readonly ObservedPod[]) =>
    planned(route, { pods, podsDesired }).available?.pods ?? 0;
  const [one, two, three] = ['1', '2', '3'].map((name) => samplePod(['a'], { name }));
  const other = samplePod(['b'], { name: '4' });
  const loading = samplePod([{ name: 'a', state: 'warming' }], { name: '5' });
  // A pod that finds no node, or that is terminating, gets no requests.
  const pending = samplePod([], { name: '6', readySince: null });
  const ending = samplePod(['b'], { name: '7', isTerminating: true });
  const expected: readonly (readonly [number, readonly ObservedPod[], number])[] = [
    [3, [one!, two!, three!], 3],
    [3, [one!, two!, pending, ending], 2],
    [3, [one!, two!], 2],
    [3, [one!, pending], 0],
    [2, [one!], 1],
    [2, [one!, pending], 1],
    [2, [one!, other], 0],
    [3, [one!, two!, loading], 0],
    [1, [one!], 1],
    [1, [pending], 0],
    [2, [], 0],
    [0, [one!], 1],
  ];
  for (const [desired, pods, number] of expected) {
    const names = pods.map(({ name }) => name);
    expect([desired, names, available(desired, pods)]).toEqual([desired, names, number]);
  }
  expect(planned(route, { pods: [one!], podsDesired: 2 }).available).toEqual({
    revision: revision('a'),
    pods: 1,
    since: ago(0),
  });
});

test('a model is available once all callers have the addresses of its pods', () => {
  const route = sampleRoute('face', { model: 'a' });
  const since = (seconds: number) => {
    const fresh = samplePod(['a'], { name: 'pod-2', readySince: NOW - seconds * 1_000 });
    return planned(route, { pods: [samplePod(['a']), fresh], podsDesired: 2 }).available;
  };
  expect(since(39)).toBeUndefined();
  expect(since(40)).toMatchObject({ pods: 2 });
});

test('a model stays available while pods change, until no pod has loaded it', () => {
  const first = snapshotOf(sampleRoute('face', { model: 'a' }));
  const route = stored(first);
  const now = NOW + 60_000;
  const fresh = samplePod([], { name: 'pod-2', readySince: now });
  const more = { now, pods: [samplePod(['a']), fresh] };
  expect(planned(route, more)).toMatchObject({ phase: 'Available', available: { since: ago(0) } });
  const deleted = planned(route, { now, pods: [fresh] });
  expect(deleted).toMatchObject({ phase: 'Preparing', conditions: { Available: 'False NotWarm' } });
});

test('the availability in the pods of another model with the same bytes does not count', () => {
  const route = sampleRoute('face', { model: 'a' });
  const { spec, status, ...rest } = stored(snapshotOf(route), { active: answers('a', 60) });
  expect(planned({ spec, status: status!, ...rest }).conditions.Available).toMatch('True');
  const pack = { revision: revision('a') };
  const models = [...withPacks(), verifiedModel('large', {}, { ...warm, pack })];
  const moved = { ...rest, spec: { ...spec, model: 'large' }, status: status! };
  // One of two pods is ready, but callers do not have its address yet.
  const pods = [samplePod(['a'], { readySince: NOW - 1_000 })];
  expect(planned(moved, { models, pods, podsDesired: 2 }).conditions.Available).toMatch('False');
});

test('the phases of a switch', () => {
  const active = answers('a', 3600);
  const request = snapshotOf(sampleRoute('face', { model: 'b' }, { active }), {
    pods: [samplePod(['a'])],
  });
  const preparing = stored(request);
  expect(preparing.status).toMatchObject({ phase: 'Preparing', switches: 0 });
  const available = stored(snapshotOf(preparing, { now: NOW + 10_000 }));
  expect(available.status).toMatchObject({ phase: 'Available', desired: { since: ago(0) } });
  const reembedding = { done: 3, total: 10 };
  const embedding = snapshotOf({ ...available, status: { ...available.status!, reembedding } });
  expect(planRoute(embedding).status.phase).toBe('Reembedding');
  const switched = {
    ...available,
    status: { ...available.status!, active: answers('b', -20), previous: { model: 'a' } },
  };
  const draining = snapshotOf(switched, { now: NOW + 21_000, previousRequested: 1 });
  expect(planRoute(draining)).toMatchObject({
    switchSeconds: 20,
    status: { phase: 'Draining', switches: 1, lastSwitchSeconds: 20 },
  });
  const requested = snapshotOf(stored(draining), { now: NOW + 90_000, previousRequested: 1 });
  expect(planRoute(requested).status.phase).toBe('Draining');
  const unasked = planRoute({ ...requested, previousRequested: 0 });
  expect(unasked).toMatchObject({ switchSeconds: null, status: { phase: 'Idle', switches: 1 } });
  expect(planRoute({ ...requested, now: NOW + 140_000 }).status.phase).toBe('Idle');
});

test('a switch counts even if the clock of the worker is behind that of the operator', () => {
  const conditions = [condition('Drained')];
  const request = sampleRoute('face', { model: 'b' }, { active: answers('a', 7200), conditions });
  const active = answers('b', 30);
  const switched = stored(snapshotOf(request), { active, previous: { model: 'a' } });
  expect(planRoute(snapshotOf(switched, { now: NOW + 20_000 }))).toMatchObject({
    switchSeconds: 0,
    status: { phase: 'Draining', switches: 1 },
  });
});

test('a model that was missing for a while and stays active is not a switch', () => {
  const route = sampleRoute('face', { model: 'a' }, { active: answers('a', 60) });
  const back = stored(snapshotOf(route, { models: [] }));
  expect(back.status).toMatchObject({ phase: 'Stalled' });
  expect(planRoute(snapshotOf(back))).toMatchObject({ switchSeconds: null });
});

test.each([
  ['taken back', {}],
  ['given up by the worker', { conditions: [rolledBack()] }],
])('a request that is %s does not count as a switch', (_what, more) => {
  const active = answers('a', 60);
  const request = sampleRoute('face', { model: 'b' }, { active, ...more });
  const waiting = stored(snapshotOf(request, { pods: [samplePod(['a'])] }));
  const spec = { ...waiting.spec, model: 'a' };
  const back = { ...waiting, spec, metadata: { ...waiting.metadata, generation: 2 } };
  expect(planRoute(snapshotOf(back, { now: NOW + 5_000 }))).toMatchObject({
    switchSeconds: null,
    status: { phase: 'Idle', switches: 0 },
  });
});

test('the previous model drains for at least a minute, even without requests', () => {
  const drained = condition('Drained', 'True', ago(4000));
  const route = (secondsAgo: number) =>
    sampleRoute(
      'face',
      { model: 'b' },
      { active: answers('b', secondsAgo), previous: { model: 'a' }, conditions: [drained] },
    );
  expect(planned(route(59)).phase).toBe('Draining');
  const over = planRoute(snapshotOf(route(60))).status;
  expect(over.phase).toBe('Idle');
  // The condition was still True from an earlier drain, because no plan ran during this drain. Its transition time is
  // new nevertheless.
  expect(over.conditions!.find(({ type }) => type === 'Drained')!.lastTransitionTime).toBe(ago(0));
});

test('Block waits for the approval of the revision, unless no model is active', () => {
  const spec = { model: 'b', reembed: 'Block' } as const;
  const active = answers('a', 3600);
  const blocked = planned(sampleRoute('face', spec, { active }));
  expect(blocked).toMatchObject({
    phase: 'Blocked',
    conditions: { Stalled: 'True ApprovalMissing', Reconciling: 'False Blocked' },
  });
  const approved = { ...spec, approvedRevision: revision('b') };
  expect(planned(sampleRoute('face', approved, { active })).phase).toBe('Available');
  expect(planned(sampleRoute('face', spec)).phase).toBe('Available');
});

test('a model that was rolled back is not tried again until the request changes', () => {
  const route = sampleRoute(
    'face',
    { model: 'b' },
    { active: answers('a', 60), conditions: [rolledBack()] },
  );
  expect(planned(route)).toMatchObject({
    phase: 'RolledBack',
    conditions: { Stalled: 'True RolledBack' },
  });
  const newer = { ...route, metadata: { ...route.metadata, generation: 2 } };
  expect(planned(newer).phase).toBe('Available');
});

test('a switch without progress is stalled, and the message names the component', () => {
  const since = ago(1800);
  const desired = { model: 'b', since };
  const pods = [samplePod(['a'])];
  const late = sampleRoute('face', { model: 'b' }, { active: answers('a', 9999), desired });
  const stalled = planRoute(snapshotOf(late, { pods })).status;
  expect(stalled.phase).toBe('Stalled');
  expect(messageOf(stalled)).toContain('The pods have not loaded the model');
  const conditions = [condition('Available')];
  const available = { revision: revision('b'), pods: 1, since };
  const waiting = sampleRoute('face', { model: 'b' }, { desired, available, conditions });
  expect(messageOf(planRoute(snapshotOf(waiting)).status)).toContain('no worker has activated it');
});

/** The condition that the worker writes when it rolls back the first requested model. */
function rolledBack() {
  const report = { reason: 'RolledBack', message: 'Its workers died.', observedGeneration: 1 };
  return { ...condition('Activated', 'False'), ...report };
}

function messageOf({ conditions }: ReturnType<typeof planRoute>['status']): string {
  return conditions!.find(({ type }) => type === 'Stalled')!.message;
}

test('Ready needs a pod that has loaded the active model', () => {
  const route = sampleRoute('face', { model: 'a' }, { active: answers('a', 3600) });
  expect(planned(route).conditions).toMatchObject({
    Ready: 'True Active',
    Drained: 'True Drained',
  });
  const models = withPacks().map(({ status, ...model }) => ({
    ...model,
    status: { ...status, state: 'NotServing' as const },
  }));
  expect(planned(route, { models }).conditions).toMatchObject({ Ready: 'False NotServing' });
  expect(planned(route, { models: [] }).conditions).toMatchObject({ Ready: 'False NotServing' });
});

test('planning again with the planned status changes nothing', () => {
  const snapshot = snapshotOf(sampleRoute('face', { model: 'b' }, { active: answers('a', 60) }));
  const route = stored(snapshot);
  expect(planRoute({ ...snapshot, route, now: NOW + 200 }).status).toEqual(
    planRoute(snapshot).status,
  );
});

test('a drain in the same second as its switch counts, although times have whole seconds', () => {
  const active = { ...answers('a', 0), since: '2026-03-01T12:00:00.700Z' };
  const first = snapshotOf(sampleRoute('face', { model: 'a' }, { active }), { now: NOW + 900 });
  const route = stored(first);
  expect(planRoute({ ...first, route, now: NOW + 60_000 }).status).toEqual(planRoute(first).status);
});
