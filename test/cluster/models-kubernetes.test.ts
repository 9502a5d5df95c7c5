import { setTimeout as sleep } from 'node:timers/promises';
import { resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { DesiredSlot, SlotOutcome } from '@sightline/core/activation/rollout-source';
import { KubeClient } from '@sightline/kube/kube-client';
import type { KubeObject, Resource } from '@sightline/kube/kube-object';
import {
  INFERENCE_MODELS,
  type InferenceModel,
} from '@sightline/contracts/cluster/inference-model';
import {
  INFERENCE_ROUTES,
  type InferenceRoute,
} from '@sightline/contracts/cluster/inference-route';
import { KubeModelDeclarations } from '@sightline/models-kubernetes/kube-model-declarations';
import { KubeRolloutSource } from '@sightline/models-kubernetes/kube-rollout-source';
import { ApiServer } from '../support/cluster/api-server.ts';
import { describeWithApiServer } from '../support/cluster/describe-with-api-server.ts';

const NEVER = new AbortController().signal;
const CRDS = resolve('crds');
const NAMESPACE = 'default';
const [A, B] = ['a'.repeat(64), 'b'.repeat(64)];
type Ref = readonly [Resource, string];
const AT = '2026-01-02T03:04:05Z';

/** The client of a process that is delayed before it writes. */
class LateClient extends KubeClient {
  /** Actions of other clients before each of its writes. */
  readonly before: (() => Promise<unknown>)[] = [];

  override async apply<T extends KubeObject>(...args: Parameters<KubeClient['apply']>): Promise<T> {
    await this.before.shift()?.();
    return super.apply<T>(...args);
  }
}

describeWithApiServer('models and routes of a cluster', () => {
  let server: ApiServer;
  let client: KubeClient;
  let declarations: KubeModelDeclarations;

  beforeAll(async () => {
    server = await ApiServer.start();
    client = new KubeClient(await server.connect());
    await kubectl(['apply', '--server-side', '-k', CRDS]);
    await kubectl(['wait', '--for=condition=Established', 'crd', '--all']);
    declarations = new KubeModelDeclarations({ client, namespace: NAMESPACE });
  });
  beforeEach(async () => {
    await kubectl(['delete', 'inferenceroutes,inferencemodels', '--all']);
    await write('chart', [INFERENCE_MODELS, 'a'], {
      task: 'Face',
      packName: 'faces',
      source: { starter: {} },
    });
    await write('chart', [INFERENCE_MODELS, 'b'], {
      task: 'Face',
      packName: 'others',
      source: { starter: {} },
    });
    await write('chart', [INFERENCE_ROUTES, 'face'], { defaultModel: 'a' });
    await verify('a', A);
  });
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  async function kubectl(args: readonly string[]): Promise<void> {
    const { ok, text } = await server.kubectl(args);
    if (!ok) throw new Error(text);
  }

  const refOf = (resource: Resource, name: string) => ({ resource, namespace: NAMESPACE, name });

  function objectOf({ group, version, kind }: Resource, name: string): KubeObject {
    return { apiVersion: `${group}/${version}`, kind, metadata: { name, namespace: NAMESPACE } };
  }

  /** Applies a spec as a field manager. */
  async function write(manager: string, [resource, name]: Ref, spec: object) {
    const object = { ...objectOf(resource, name), spec };
    const options = { object, fieldManager: manager, force: true };
    await client.apply(refOf(resource, name), options, NEVER);
  }

  /** Applies a status as the operator. */
  async function writeStatus(resource: Resource, name: string, status: object) {
    const object = { ...objectOf(resource, name), status };
    const options = { object, fieldManager: 'sightline-operator', force: true };
    await client.apply(refOf(resource, name), { ...options, subresource: 'status' }, NEVER);
  }

  const condition = (type: string) => ({
    type,
    status: 'True',
    reason: type,
    message: '',
    lastTransitionTime: AT,
  });

  const verify = (name: string, revision: string) =>
    writeStatus(INFERENCE_MODELS, name, {
      pack: { revision, sizeBytes: 7 },
      conditions: [condition('Verified')],
    });

  const routeNow = async () =>
    (await client.get<InferenceRoute>(refOf(INFERENCE_ROUTES, 'face'), NEVER))!;

  const desired = (name: string, revision: string | null) =>
    ({ name, task: 'face', revision }) as const;

  test('a request is written beside the fields of the chart, and withdrawn without a trace', async () => {
    await verify('b', B);
    const request = await declarations.activate(desired('others', B), 'after', NEVER);
    expect((await routeNow()).spec).toMatchObject({
      defaultModel: 'a',
      model: 'b',
      reembed: 'After',
    });
    await request.revert(NEVER);
    expect((await routeNow()).spec).not.toHaveProperty('model');
    expect((await routeNow()).spec).toMatchObject({ defaultModel: 'a', reembed: 'Before' });

    await declarations.activate(desired('faces', A), 'before', NEVER);
    const second = await declarations.activate(desired('others', B), 'before', NEVER);
    await second.revert(NEVER);
    expect((await routeNow()).spec.model).toBe('a');
  });

  test('a request that another field manager has replaced is not withdrawn', async () => {
    await verify('b', B);
    const request = await declarations.activate(desired('others', B), 'before', NEVER);
    await write('kubectl', [INFERENCE_ROUTES, 'face'], { model: 'a' });
    await request.revert(NEVER);
    expect((await routeNow()).spec.model).toBe('a');
  });

  test('a request that is replaced just before its withdrawal stays, even if the status changes too', async () => {
    await verify('b', B);
    await using late = new LateClient(await server.connect());
    const slow = new KubeModelDeclarations({ client: late, namespace: NAMESPACE });
    const request = await slow.activate(desired('others', B), 'before', NEVER);
    const status = { desired: { model: 'b' } };
    late.before.push(() => writeStatus(INFERENCE_ROUTES, 'face', status));
    late.before.push(() => declarations.activate(desired('faces', A), 'before', NEVER));
    await request.revert(NEVER);
    expect((await routeNow()).spec.model).toBe('a');
    expect(late.before).toEqual([]);
  });

  test('a request is rejected with the name of the field manager that owns the field', async () => {
    await verify('b', B);
    await write('argocd-controller', [INFERENCE_ROUTES, 'face'], { model: 'a' });
    await expect(
      declarations.activate(desired('others', B), 'before', NEVER),
    ).rejects.toMatchObject({
      code: 'activation_declared',
      message:
        'The active face model is declared by argocd-controller (InferenceRoute face, spec.model); change it there.',
    });
    expect((await routeNow()).spec.model).toBe('a');
  });

  test('a request needs a verified model and a route', async () => {
    for (const model of [desired('others', B), desired('faces', B), desired('faces', null)]) {
      await expect(declarations.activate(model, 'before', NEVER)).rejects.toMatchObject({
        code: 'model_not_downloaded',
      });
    }
    const object = { ...desired('things', A), task: 'object' as const };
    await expect(declarations.activate(object, 'before', NEVER)).rejects.toMatchObject({
      code: 'activation_declared',
      message: expect.stringContaining('There is no InferenceRoute object'),
    });
  });

  test('a download keeps the files, unless another field manager owns the standby state', async () => {
    const spec = { task: 'Face', packName: 'thirds', source: { starter: {} } };
    await write('chart', [INFERENCE_MODELS, 'third'], spec);
    const standby = async () =>
      (await client.get<InferenceModel>(refOf(INFERENCE_MODELS, 'third'), NEVER))!.spec.standby;
    await declarations.keep(desired('thirds', null), NEVER);
    expect(await standby()).toBe('Store');
    await write('flux', [INFERENCE_MODELS, 'third'], { ...spec, standby: 'None' });
    await expect(declarations.keep(desired('thirds', null), NEVER)).rejects.toMatchObject({
      code: 'activation_declared',
      message:
        'The standby state of InferenceModel third is declared by flux (InferenceModel third, spec.standby); change it there.',
    });
    await expect(declarations.keep(desired('unknown', null), NEVER)).rejects.toMatchObject({
      code: 'no_source',
    });
  });

  test('a rollout source follows routes, and writes its fields beside those of the operator', async () => {
    const own = new KubeClient(await server.connect());
    const failures: unknown[] = [];
    const failed = (error: unknown) => void failures.push(error);
    await using routes = new KubeRolloutSource({ client: own, namespace: NAMESPACE, failed });
    const face = (holds: (route: DesiredSlot) => boolean) => seen(routes, holds);
    expect(await face(() => true)).toMatchObject({
      slot: 'face',
      model: { name: 'a', packName: 'faces', revision: A },
      availability: { kind: 'unavailable' },
      isApproved: true,
      reembed: 'before',
      rolledBack: null,
    });
    const available = { revision: A, pods: 1, since: AT };
    await writeStatus(INFERENCE_ROUTES, 'face', {
      available,
      conditions: [condition('Available')],
    });
    await face(({ availability }) => availability.kind === 'available');

    let facts: SlotOutcome = {
      slot: 'face',
      generation: 1,
      active: { name: 'faces', revision: A },
      reembedding: null,
      rolledBack: null,
    };
    await routes.publish({ slots: [facts] }, NEVER);
    const first = (await routeNow()).status!;
    expect(first.active).toMatchObject({ model: 'a', name: 'faces', revision: A });
    expect(first.available).toEqual(available);
    expect(first.conditions).toMatchObject([
      { type: 'Available' },
      { type: 'Activated', status: 'True', reason: 'Active', observedGeneration: 1 },
    ]);

    // An equal report is not written again, although the time has changed.
    const { resourceVersion } = (await routeNow()).metadata;
    await sleep(1_100);
    await routes.publish({ slots: [facts] }, NEVER);
    expect((await routeNow()).metadata.resourceVersion).toBe(resourceVersion);

    await verify('b', B);
    await write('kubectl', [INFERENCE_ROUTES, 'face'], { model: 'b' });
    facts = {
      ...facts,
      generation: (await face((route) => route.model?.revision === B)).generation,
    };
    await routes.publish(
      { slots: [{ ...facts, reembedding: { done: 1, total: 4, failed: 0 } }] },
      NEVER,
    );
    expect((await routeNow()).status).toMatchObject({
      active: { model: 'a' },
      reembedding: { done: 1, total: 4, summary: '1/4' },
    });
    await routes.publish({ slots: [{ ...facts, active: { name: 'others', revision: B } }] }, NEVER);
    const { status } = await routeNow();
    expect(status).toMatchObject({
      active: { model: 'b', revision: B },
      previous: { model: 'a', revision: A },
    });
    expect(status).not.toHaveProperty('reembedding');

    const rolledBack = '3 worker threads died.';
    await routes.publish({ slots: [{ ...facts, rolledBack }] }, NEVER);
    await face((route) => route.rolledBack === 'this');
    expect((await routeNow()).status?.conditions).toContainEqual(
      expect.objectContaining({
        type: 'Activated',
        status: 'False',
        reason: 'RolledBack',
        message: rolledBack,
      }),
    );
    await write('kubectl', [INFERENCE_ROUTES, 'face'], { model: 'b', keepPreviousSeconds: 7 });
    await face((route) => route.rolledBack === 'previous');
    // The result for the previous request does not count for the new request, which would otherwise never be tried.
    await routes.publish({ slots: [{ ...facts, rolledBack }] }, NEVER);
    const activated = (await routeNow()).status?.conditions?.find(
      ({ type }) => type === 'Activated',
    );
    expect(activated?.observedGeneration).toBe(facts.generation);
    expect(failures).toEqual([]);
    await own[Symbol.asyncDispose]();
  });

  test('a delayed worker does not overwrite a newer report of another worker', async () => {
    const failed = (error: unknown) => {
      throw error;
    };
    await using late = new LateClient(await server.connect());
    await using stale = new KubeRolloutSource({ client: late, namespace: NAMESPACE, failed });
    await using leading = new KubeRolloutSource({ client, namespace: NAMESPACE, failed });
    await verify('b', B);
    const facts = { slot: 'face', generation: 1, reembedding: null, rolledBack: null } as const;
    const isVerified = ({ model }: DesiredSlot) => model?.revision === A;
    await Promise.all([seen(stale, isVerified), seen(leading, isVerified)]);
    const now = { ...facts, active: { name: 'others', revision: B } };
    late.before.push(() => leading.publish({ slots: [now] }, NEVER));
    await stale.publish({ slots: [{ ...facts, active: { name: 'faces', revision: A } }] }, NEVER);
    expect((await routeNow()).status).toMatchObject({ active: { revision: B } });
    expect(late.before).toEqual([]);
    // After the delayed worker has seen the other report, it writes its own again.
    const isPublished = async () => {
      await stale.publish({ slots: [now] }, NEVER);
      await stale.publish(
        { slots: [{ ...now, reembedding: { done: 1, total: 2, failed: 0 } }] },
        NEVER,
      );
      return (await routeNow()).status?.reembedding?.summary === '1/2';
    };
    while (!(await isPublished())) await sleep(20);
  });

  /** Waits until the route of faces has a state. */
  async function seen(
    routes: KubeRolloutSource,
    holds: (route: DesiredSlot) => boolean,
  ): Promise<DesiredSlot> {
    for (;;) {
      const [route] = await routes.desired().catch(() => []);
      if (route !== undefined && holds(route)) return route;
      await sleep(20);
    }
  }
});
