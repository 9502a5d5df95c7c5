import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { KubeClient, type RequestsObserver } from '@sightline/kube/kube-client';
import type { KubeObject, Resource } from '@sightline/kube/kube-object';
import {
  INFERENCE_MODELS,
  type InferenceModel,
} from '@sightline/contracts/cluster/inference-model';
import {
  INFERENCE_ROUTES,
  type InferenceRoute,
} from '@sightline/contracts/cluster/inference-route';
import { writeStatus } from '@sightline/operator/apply/status-writer';
import { Written } from '@sightline/kube/written';
import { CHILD_KINDS, DEPLOYMENTS, JOBS, PODS } from '@sightline/operator/children/kinds';
import { sampleInstallation } from '@sightline/operator/children/testing/sample-installation';
import { fetchedPack } from '@sightline/operator/plan/testing/samples';
import { createOperatorRole } from '@sightline/operator/operator-role';
import type { LeaseObject } from '@sightline/operator/runtime/leader-election';
import { createLogger } from '@sightline/platform/logging/logger';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { systemClock } from '@sightline/platform/resilience/clock';
import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { Controllers } from '../support/cluster/controllers.ts';
import { ApiServer } from '../support/cluster/api-server.ts';
import { describeWithApiServer } from '../support/cluster/describe-with-api-server.ts';

const NEVER = new AbortController().signal;
const CRDS = resolve('crds');
const NAMESPACE = 'default';
const LEASE = 'sightline-operator';
const LEASES = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases' };
const REVISION = 'a'.repeat(64);

interface Child extends KubeObject {
  readonly spec?: { readonly replicas?: number; readonly template?: { readonly spec: object } };
  readonly data?: Readonly<Record<string, string>>;
}

describeWithApiServer('the operator on an API server', () => {
  let server: ApiServer;
  let client: KubeClient;
  let controllers: Controllers;
  /** The answers of the pods, by path. */
  const answers = new Map<string, unknown>();

  beforeAll(async () => {
    server = await ApiServer.start();
    client = new KubeClient(await server.connect());
    controllers = new Controllers(client);
    await kubectl(['apply', '--server-side', '-k', CRDS]);
    await kubectl(['wait', '--for=condition=Established', 'crd', '--all']);
    const label = 'pod-security.kubernetes.io/enforce=restricted';
    await kubectl(['label', 'namespace', NAMESPACE, label]);
    const { inferenceServiceAccount, fetchServiceAccount } = sampleInstallation();
    for (const name of [inferenceServiceAccount, fetchServiceAccount]) {
      await create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } });
    }
  });
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  async function kubectl(args: readonly string[], input = ''): Promise<string> {
    const { ok, text } = await server.kubectl(args, input);
    if (!ok) throw new Error(text);
    return text;
  }

  const create = (object: object) => kubectl(['apply', '-f', '-'], JSON.stringify(object));

  const createInstallation = (image = sampleInstallation().image) =>
    create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'sightline-installation', namespace: NAMESPACE },
      data: { ...sampleInstallation(), image },
    });

  async function changeInstallation(data: Readonly<Record<string, string>>): Promise<void> {
    const patch = ['--type=merge', '-p', JSON.stringify({ data })];
    await kubectl(['patch', 'configmap/sightline-installation', ...patch]);
  }

  /** Starts an operator of its own, and records the writes that it sends. */
  async function startOperator() {
    const writes: string[] = [];
    const answered: RequestsObserver = ({ method, code }) => {
      // The operator creates and replaces only the Lease, whose writes are not recorded.
      if (method === 'PATCH' || method === 'DELETE') writes.push(`${method} ${code}`);
    };
    const own = new KubeClient(await server.connect(), answered);
    const logged: string[] = [];
    const destination = new Writable({
      write(line: Buffer, _encoding, done) {
        logged.push(line.toString());
        done();
      },
    });
    const registry = createMetricsRegistry();
    const identity = `operator-${performance.now()}`;
    const role = createOperatorRole({
      client: own,
      clock: systemClock,
      logger: createLogger({ level: 'warn', destination }),
      registry,
      poll: (url) => Promise.resolve(answers.get(new URL(url).pathname) ?? null),
      now: () => Date.now(),
      namespace: NAMESPACE,
      leaseName: LEASE,
      leaseOwner: null,
      identity,
      namespaces: [NAMESPACE],
      requireDigests: false,
      fail: (error) => void logged.push(String(error)),
    });
    await role.start(NEVER);
    return {
      identity,
      writes,
      logged,
      /** The number of reconciliations of models. */
      reconciles: async (): Promise<number> => {
        const metric = registry.getSingleMetric('controller_runtime_reconcile_total')!;
        const ofModels = (await metric.get()).values.filter(
          ({ labels }) => labels.controller === 'inferencemodel',
        );
        return ofModels.reduce((sum, { value }) => sum + value, 0);
      },
      async [Symbol.asyncDispose]() {
        await role[Symbol.asyncDispose]();
        await own[Symbol.asyncDispose]();
      },
    };
  }

  const read = <T extends KubeObject>(resource: Resource, name: string) =>
    client.get<T>({ resource, namespace: NAMESPACE, name }, NEVER);
  const modelNamed = (name: string) => read<InferenceModel>(INFERENCE_MODELS, name);
  const routeNamed = (name: string) => read<InferenceRoute>(INFERENCE_ROUTES, name);

  /** Resolves once two seconds have passed without a write. */
  async function quiet(writes: readonly string[]): Promise<void> {
    for (let before = -1; before !== writes.length;) {
      before = writes.length;
      await sleep(2_000);
    }
  }

  async function children(resource: Resource): Promise<readonly Child[]> {
    const labelSelector = 'app.kubernetes.io/managed-by=sightline-operator';
    const selection = { resource, namespace: NAMESPACE, labelSelector };
    return (await client.list<Child>(selection, NEVER)).items;
  }

  async function until<T>(read: () => Promise<T | null>, holds: (found: T) => boolean): Promise<T> {
    for (;;) {
      const found = await read();
      if (found !== null && holds(found)) return found;
      await sleep(50);
    }
  }

  const stateOf = async (name: string, state: string) =>
    until(
      () => modelNamed(name),
      ({ status }) => status?.state === state,
    );

  test('the operator brings a model from its object to requests, and writes nothing twice', async () => {
    await createInstallation();
    await create(modelObject('a', { task: 'Face', source: { starter: {} } }));
    {
      await using operator = await startOperator();

      // The operator fetches the model.
      const fetching = await stateOf('a', 'Fetching');
      expect(fetching.status).toMatchObject({ observedGeneration: 1, host: 'a' });
      const job = await until(
        () => read<Child>(JOBS, 'imodel-a-fetch'),
        () => true,
      );
      expect(job.metadata.ownerReferences).toMatchObject([{ kind: 'InferenceModel', name: 'a' }]);
      expect(await childNames()).toEqual(['Job imodel-a-fetch', 'NetworkPolicy imodel-a-fetch']);
      const pack = { ...fetchedPack(REVISION), sizeBytes: 7 };
      await controllers.endFetch(job, JSON.stringify({ pack }));
      const verified = await stateOf('a', 'Verified');
      expect(verified.status?.pack).toEqual({ ...pack, shortRevision: REVISION.slice(0, 12) });
      await until(childNames, (names) => names.length === 0);

      // A route requests the model.
      await create(routeObject('face', { model: 'a' }));
      const deployment = await until(
        () => read<Child>(DEPLOYMENTS, 'imodel-a'),
        () => true,
      );
      expect(deployment.spec?.replicas).toBe(1);
      const podStatus = {
        phase: 'Running',
        podIP: '10.0.0.7',
        podIPs: [{ ip: '10.0.0.7' }],
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-02T03:04:05Z' }],
      };
      await controllers.makePod('imodel-a-1', deployment, podStatus);
      answers.set('/models', {
        models: [{ task: 'face', name: 'a', revision: REVISION, state: 'warm' }],
      });
      await stateOf('a', 'Warm');
      const available = await until(
        () => routeNamed('face'),
        ({ status }) => status?.phase === 'Available',
      );
      expect(available.status?.available).toMatchObject({ revision: REVISION, pods: 1 });
      const pod = await read(PODS, 'imodel-a-1');
      expect(pod?.metadata.annotations).toHaveProperty(['sightline.dev/serving']);

      // The worker activates the model.
      const since = new Date().toISOString();
      await controllers.writeStatus(INFERENCE_ROUTES, available, {
        active: { model: 'a', revision: REVISION, since },
      });
      await stateOf('a', 'Active');
      const settled = await until(
        () => routeNamed('face'),
        ({ status }) => status?.phase === 'Idle',
      );
      expect(conditionsOf(settled)).toMatchObject({ Ready: 'True', Drained: 'True' });
      expect(settled.status).toMatchObject({ switches: 1, active: { model: 'a' } });
      expect(conditionsOf((await modelNamed('a'))!)).toEqual({
        Verified: 'True',
        CredentialsCurrent: 'True',
        Warm: 'True',
        Active: 'True',
        Ready: 'True',
        Reconciling: 'False',
        Stalled: 'False',
      });

      // The operator reverts changes of other clients.
      await kubectl(['scale', 'deployment/imodel-a', '--replicas=5']);
      await until(
        () => read<Child>(DEPLOYMENTS, 'imodel-a'),
        ({ spec }) => spec?.replicas === 1,
      );
      await kubectl(['delete', 'networkpolicy/imodel-a']);
      await until(childNames, (names) => names.includes('NetworkPolicy imodel-a'));
      // The number of pods is scaled through the model.
      await kubectl(['scale', 'imodel/a', '--replicas=2']);
      await until(
        () => read<Child>(DEPLOYMENTS, 'imodel-a'),
        ({ spec }) => spec?.replicas === 2,
      );
      const events = await kubectl(['get', 'events.events.k8s.io', '-o', 'name']);
      expect(events).toContain('event');
      expect(operator.logged).toEqual([]);
      await until(
        () => modelNamed('a'),
        ({ status }) => status?.pods?.summary === '1/2',
      );
      await quiet(operator.writes);
    }

    // A second operator has nothing to change.
    await using second = await startOperator();
    await until(
      () => read<LeaseObject>(LEASES, LEASE),
      ({ spec }) => spec.holderIdentity === second.identity,
    );
    await until(second.reconciles, (count) => count > 0);
    await quiet(second.writes);
    expect(second.writes).toEqual([]);
    expect(second.logged).toEqual([]);
  });

  test('a model is deleted at once, and its children have it as their owner and no finalizer', async () => {
    await using operator = await startOperator();
    await until(operator.reconciles, (count) => count > 0);
    const owner = (await modelNamed('a'))!.metadata.uid;
    const all = (await Promise.all(CHILD_KINDS.map(children))).flat();
    expect(all.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['ConfigMap', 'Deployment', 'NetworkPolicy']),
    );
    for (const { metadata } of all) {
      expect(metadata).not.toHaveProperty('finalizers');
      expect(metadata.ownerReferences).toMatchObject([{ uid: owner }]);
    }
    await quiet(operator.writes);
    const before = await operator.reconciles();
    await kubectl(['delete', 'iroute/face', 'imodel/a', '--timeout=5s']);
    expect([await modelNamed('a'), await routeNamed('face')]).toEqual([null, null]);
    await until(operator.reconciles, (count) => count > before);
    await quiet(operator.writes);
    expect(operator.logged).toEqual([]);
  });

  test('a status of a deleted object is not written, even if a new object has the same name', async () => {
    const spec = { task: 'Face', source: { starter: {} }, standby: 'None' };
    await create(modelObject('again', spec));
    const deleted = (await modelNamed('again'))!;
    await kubectl(['delete', 'imodel/again']);
    const writer = { client, written: new Written(systemClock), requireLeader: () => undefined };
    const status = { state: 'Verified', pack: { name: 'again', revision: REVISION } };
    const write = (object: InferenceModel) =>
      writeStatus(writer, { resource: INFERENCE_MODELS, object, status }, NEVER);
    expect(await write(deleted)).toBe(false);
    await create(modelObject('again', spec));
    expect(await write(deleted)).toBe(false);
    const recreated = (await modelNamed('again'))!;
    expect(recreated).not.toHaveProperty('status.pack');
    expect(await write(recreated)).toBe(true);
    expect(await modelNamed('again')).toMatchObject({ status });
    await kubectl(['delete', 'imodel/again']);
  });

  test('a model reports what it waits for, and goes on once that exists', async () => {
    await using operator = await startOperator();
    await create(
      modelObject('guest', { task: 'Object', source: { starter: {} }, podsOf: 'later' }),
    );
    const pending = await stateOf('guest', 'Pending');
    expect(pending.status?.lastFailure).toMatchObject({
      reason: 'PodsOfMissing',
      message: 'There is no InferenceModel later.',
    });
    await create(modelObject('later', { task: 'Object', source: { starter: {} } }));
    await stateOf('guest', 'Fetching');
    await kubectl(['delete', 'configmap/sightline-installation']);
    await create(modelObject('alone', { task: 'Object', source: { starter: {} } }));
    const alone = await stateOf('alone', 'Pending');
    expect(alone.status?.lastFailure?.reason).toBe('InstallationMissing');
    const job = (await read<Child>(JOBS, 'imodel-guest-fetch'))!;
    await controllers.endFetch(job, '{"reason":"DigestMismatch","message":"Other bytes."}', false);
    const failed = await stateOf('guest', 'Failed');
    expect(conditionsOf(failed)).toMatchObject({ Stalled: 'True', Ready: 'False' });
    expect(operator.logged).toEqual([]);
  });

  test('a fetch that waits for its image is recreated once the installation names another image', async () => {
    await createInstallation('registry.example.org/missing:1');
    await using operator = await startOperator();
    await create(modelObject('waits', { task: 'Face', source: { starter: {} } }));
    const first = await until(
      () => read<Child>(JOBS, 'imodel-waits-fetch'),
      () => true,
    );
    const image = { image: 'i', imageID: '', restartCount: 0, ready: false };
    const waiting = { reason: 'ImagePullBackOff', message: 'Back-off pulling image' };
    await controllers.makePod('imodel-waits-fetch-1', first, {
      phase: 'Pending',
      containerStatuses: [{ name: 'fetch', ...image, state: { waiting } }],
    });
    const failed = await stateOf('waits', 'Failed');
    expect(failed.status?.lastFailure?.reason).toBe('ImageUnavailable');
    const another = 'registry.example.org/there:2';
    await createInstallation(another);
    const renewed = await until(
      () => read<Child>(JOBS, 'imodel-waits-fetch'),
      ({ metadata }) => metadata.uid !== first.metadata.uid,
    );
    expect(renewed.spec?.template?.spec).toMatchObject({ containers: [{ image: another }] });
    await stateOf('waits', 'Fetching');
    // The operator does not replace the Job again.
    await quiet(operator.writes);
    const stayed = await read<Child>(JOBS, 'imodel-waits-fetch');
    expect(stayed?.metadata.uid).toBe(renewed.metadata.uid);
    expect(operator.logged).toEqual([]);
    await kubectl(['delete', 'imodel/waits']);
  });

  test('a model whose pods the API server rejects reports that in its status', async () => {
    await createInstallation();
    await using operator = await startOperator();
    const resources = { requests: { memory: '2Gi' }, limits: { memory: '1Gi' } };
    const runtime = { device: 'CPU', resources };
    const spec = { task: 'Face', source: { starter: {} }, standby: 'Warm', runtime };
    await create(modelObject('greedy', spec));
    const job = await until(
      () => read<Child>(JOBS, 'imodel-greedy-fetch'),
      () => true,
    );
    await controllers.endFetch(job, JSON.stringify({ pack: fetchedPack('b'.repeat(64)) }));
    const failed = await stateOf('greedy', 'Failed');
    expect(failed.status?.lastFailure).toMatchObject({
      reason: 'Refused',
      message: expect.stringContaining('must be less than or equal to memory limit'),
    });
    await until(
      () => Promise.resolve(operator.logged.join('')),
      (logged) => logged.includes('default/greedy'),
    );
    // The guests of the rejected model still get their own children.
    await create(
      modelObject('beside', { task: 'Face', source: { starter: {} }, podsOf: 'greedy' }),
    );
    await until(
      () => read<Child>(JOBS, 'imodel-beside-fetch'),
      () => true,
    );
    await stateOf('beside', 'Fetching');
    await kubectl(['delete', 'imodel/greedy', 'imodel/beside']);
  });

  test('a rejected fetch Job is reported, and created once the API server accepts it', async () => {
    await changeInstallation({ imagePullPolicy: 'Sometimes' });
    await using operator = await startOperator();
    await create(modelObject('refused', { task: 'Face', source: { starter: {} } }));
    const refused = await stateOf('refused', 'Failed');
    expect(refused.status?.lastFailure).toMatchObject({
      reason: 'Refused',
      message: expect.stringContaining('Unsupported value: "Sometimes"'),
    });
    await until(
      () => Promise.resolve(operator.logged.join('')),
      (logged) => logged.includes('default/refused'),
    );
    await createInstallation();
    await until(
      () => read<Child>(JOBS, 'imodel-refused-fetch'),
      () => true,
    );
    await stateOf('refused', 'Fetching');
    await kubectl(['delete', 'imodel/refused']);
  });

  test('an orphaned fetch Job is replaced, and the owner of a foreign one is named', async () => {
    const jobNamed = (name: string) =>
      until(
        () => read<Child>(JOBS, name),
        () => true,
      );
    await createInstallation();
    await create(modelObject('left', { task: 'Face', source: { starter: {} } }));
    await using first = new AsyncDisposableStack();
    first.use(await startOperator());
    const orphan = await jobNamed('imodel-left-fetch');
    await first.disposeAsync();
    await kubectl(['patch', 'job/imodel-left-fetch', '--type=json', `--patch=${NO_OWNERS}`]);
    const container = { name: 'a', image: 'a' };
    await create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'imodel-taken-fetch', namespace: NAMESPACE },
      spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } },
    });
    await create(modelObject('taken', { task: 'Face', source: { starter: {} } }));
    await using operator = await startOperator();
    const renewed = await until(
      () => read<Child>(JOBS, 'imodel-left-fetch'),
      ({ metadata }) => metadata.uid !== orphan.metadata.uid,
    );
    expect(renewed.metadata.ownerReferences).toMatchObject([{ name: 'left', controller: true }]);
    const taken = await stateOf('taken', 'Failed');
    expect(taken.status?.lastFailure).toMatchObject({
      reason: 'Refused',
      message:
        'The Job imodel-taken-fetch was not created by this operator. Delete it, and the operator creates its own.',
    });
    await kubectl(['delete', 'job/imodel-taken-fetch']);
    await stateOf('taken', 'Fetching');
    expect(operator.logged.join('')).toContain('FOREIGN_CHILD');
    await kubectl(['delete', 'imodel/left', 'imodel/taken']);
  });

  test('a model reports which key of the installation is not valid', async () => {
    await using operator = await startOperator();
    await changeInstallation({ s3Endpoint: 'minio:9000' });
    await create(modelObject('unplaced', { task: 'Face', source: { starter: {} } }));
    const pending = await stateOf('unplaced', 'Pending');
    expect(pending.status?.lastFailure).toMatchObject({
      reason: 'InstallationMissing',
      message: expect.stringContaining('s3Endpoint is no http or https URL'),
    });
    expect(operator.logged).toEqual([]);
    await kubectl(['delete', 'imodel/unplaced']);
    await createInstallation();
  });

  async function childNames(): Promise<readonly string[]> {
    const all = await Promise.all(CHILD_KINDS.map((kind) => children(kind)));
    return all
      .flat()
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
      .toSorted();
  }
});

/** A patch that removes the owners of an object, as `kubectl delete --cascade=orphan` of its owner does. */
const NO_OWNERS = JSON.stringify([{ op: 'remove', path: '/metadata/ownerReferences' }]);

function modelObject(name: string, spec: object) {
  const metadata = { name, namespace: NAMESPACE };
  return { apiVersion: 'sightline.dev/v1alpha1', kind: 'InferenceModel', metadata, spec };
}

function routeObject(name: string, spec: object) {
  const metadata = { name, namespace: NAMESPACE };
  return { apiVersion: 'sightline.dev/v1alpha1', kind: 'InferenceRoute', metadata, spec };
}

function conditionsOf({ status }: Pick<InferenceModel | InferenceRoute, 'status'>) {
  const conditions = status?.conditions ?? [];
  return Object.fromEntries(conditions.map((condition) => [condition.type, condition.status]));
}
