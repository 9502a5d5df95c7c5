import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import {
  INFERENCE_ROUTES,
  type InferenceRoute,
} from '@sightline/contracts/cluster/inference-route';
import type { KubeObject } from '@sightline/kube/kube-object';
import { describeOnNode } from '../support/cluster/describe-on-node.ts';
import { type NodeNamespace, withoutApiServer } from '../support/cluster/node.ts';
import { FACES, NETWORK_OF_NODE, POD, Quickstart } from '../support/cluster/quickstart.ts';
import { type BadSource, SourceOfPacks, sourceKeys } from '../support/cluster/source-of-packs.ts';
import { NODE_MS } from '../support/waits/limits.ts';

/** Timeout of a test, in ms: some wait for retries, volumes and rollouts. */

/** The number of concurrent fetches. More of them would take CPU time from the pods that serve requests. */
const CONCURRENT_FETCHES = 4;

/** The user of all pods of the release: one that no image knows, as clusters assign users that give each namespace a range. */
const USER = { runAsUser: 1_000_650_000, runAsGroup: 0, fsGroup: 1_000_650_000 };

/** The PriorityClass whose pods have a quota on CPU limits. */
const WITH_QUOTA = 'with-quota';

interface Pods {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
    readonly status: {
      readonly phase: string;
      readonly podIP: string;
      readonly conditions?: readonly { readonly type: string; readonly message?: string }[];
      readonly containerStatuses?: readonly { readonly restartCount: number }[];
    };
  }[];
}

describeOnNode('failures on real pods', () => {
  const resources = new AsyncDisposableStack();
  let quickstart: Quickstart;
  let namespace: NodeNamespace;
  let packs: SourceOfPacks;

  beforeAll(async () => {
    quickstart = resources.use(await Quickstart.prepare('mishaps'));
    ({ namespace } = quickstart);
    // The node has no GPU, so models that ask for one run on the CPU.
    await quickstart.start({
      inference: { provider: 'cpu' },
      podSecurityContext: USER,
      operator: { networkPolicy: NETWORK_OF_NODE, podSecurityContext: USER },
    });
    await quickstart.enrollAda();
    packs = await SourceOfPacks.fill(quickstart);
    await addQuota();
  }, NODE_MS);
  afterAll(() => resources.disposeAsync(), NODE_MS);

  async function add(name: string, spec: object): Promise<void> {
    const apiVersion = 'sightline.dev/v1alpha1';
    await namespace.apply({ apiVersion, kind: 'InferenceModel', metadata: { name }, spec });
  }

  /** Pods of the class need a CPU limit, as all pods of a namespace do that has a quota on limits. */
  async function addQuota(): Promise<void> {
    const [api, metadata] = ['scheduling.k8s.io/v1', { name: WITH_QUOTA }];
    resources.defer(async () => {
      await namespace.kubectl('delete', 'priorityclass', WITH_QUOTA, '--ignore-not-found');
    });
    await namespace.apply({ apiVersion: api, kind: 'PriorityClass', metadata, value: 1 });
    const ofClass = { scopeName: 'PriorityClass', operator: 'In', values: [WITH_QUOTA] };
    const spec = {
      hard: { 'limits.cpu': '4', 'limits.memory': '4Gi' },
      scopeSelector: { matchExpressions: [ofClass] },
    };
    await namespace.apply({ apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec });
  }

  /** A model with a fetch Job that waits for a Secret. */
  const waiting = () => ({
    task: 'Face',
    source: packs.object('faces.zip', {}, 'later-keys'),
    runtime: {
      device: 'CPU',
      nodeSelector: { 'kubernetes.io/hostname': 'node1' },
      tolerations: [{ key: 'photos', operator: 'Exists' }],
      podLabels: { team: 'photos' },
      podAnnotations: { 'example.com/team': 'photos' },
    },
    fetch: {
      priorityClassName: WITH_QUOTA,
      resources: { requests: { cpu: '50m' }, limits: { cpu: '1', memory: '512Mi' } },
    },
  });

  const remove = (name: string) => namespace.kubectl('delete', 'imodel', name);
  const failsWith = (name: string, reason: string) =>
    quickstart.modelIs(name, ({ status }) => status?.lastFailure?.reason === reason);
  const isVerified = (name: string) =>
    quickstart.modelIs(name, ({ status }) => isTrue(status, 'Verified'));
  const request = (model: string | null) => quickstart.patch('iroute', 'face', { spec: { model } });
  /** Kills the operator and restarts the API pods. In this release the API pods also run the worker's background tasks. */
  async function killWriters(): Promise<void> {
    const selector = `--selector=app.kubernetes.io/component=operator`;
    await namespace.kubectl('delete', 'pod', selector, '--force', '--grace-period=0');
    await namespace.kubectl('rollout', 'restart', `deployment/${quickstart.name}-api`);
  }
  const allServe = (role: string) =>
    namespace.kubectl(
      'rollout',
      'status',
      `deployment/${quickstart.name}-${role}`,
      '--timeout=180s',
    );
  /** Waits for the end of a switch, and calls `kill` once in each of its phases. */
  async function throughSwitch(to: string, kill: () => Promise<void>): Promise<void> {
    const killedIn = new Set<string>();
    for (;;) {
      const route = await namespace.read<InferenceRoute>(INFERENCE_ROUTES, 'face');
      const { active, desired, phase = '' } = route?.status ?? {};
      if (active?.model === to) return;
      if (desired?.model === to && !killedIn.has(phase)) {
        killedIn.add(phase);
        await kill();
      }
      await sleep(100);
    }
  }
  const podsOf = (model: string) => namespace.get<Pods>('pods', selectorOf(model));
  const fetchJobOf = (model: string) => namespace.get<KubeObject>('job', `imodel-${model}-fetch`);

  async function expectReason(name: string, { reason, message }: BadSource): Promise<void> {
    const { status } = await failsWith(name, reason);
    const found = status?.lastFailure?.message;
    expect([name, found]).toEqual([name, expect.stringMatching(message)]);
    // The operator retries after failures that may be temporary, so the next attempt may already be in progress.
    expect([reason, 'Fetching']).toContain(conditionOf(status, 'Verified')?.reason);
  }

  test(
    'a bad source ends with a reason and a message, and other models go on serving',
    async () => {
      await add('stalls', { task: 'Face', source: packs.stalling() });
      await add('waits', waiting());
      const fetch = { priorityClassName: WITH_QUOTA };
      await add('without-limit', { task: 'Face', source: packs.object('faces.zip'), fetch });
      await add('guest-without-host', {
        ...quickstart.modelOf(FACES.faces, 'Face'),
        podsOf: 'no-host',
      });
      const bad = packs.bad();
      await quickstart.underLoad(async () => {
        for (const few of inGroups(Object.entries(bad), CONCURRENT_FETCHES)) {
          for (const [name, { source, task = 'Face', revision }] of few) {
            await add(name, { task, source, ...(revision !== undefined && { revision }) });
          }
          for (const [name, source] of few) await expectReason(name, source);
        }
      });
      const { status } = await failsWith('guest-without-host', 'PodsOfMissing');
      expect(status?.lastFailure?.message).toBe('There is no InferenceModel no-host.');
      await namespace.kubectl('delete', 'imodel', 'guest-without-host', ...Object.keys(bad));
      // A digest cannot be changed once it is set, so the object is recreated.
      const { sha256 } = packs;
      const right = { task: 'Face', source: packs.object('faces.zip', { sha256 }) };
      await add('wrong-digest', right);
      await isVerified('wrong-digest');
      await remove('wrong-digest');
    },
    NODE_MS,
  );

  test(
    'all pods run as the user that the values name',
    async () => {
      for (const deployment of [
        `${quickstart.name}-api`,
        `${quickstart.name}-operator`,
        'imodel-faces',
      ]) {
        const command = ['/app/node', '-p', '[process.getuid(), process.getgid()].join()'];
        const ids = await namespace.kubectl('exec', `deployment/${deployment}`, '--', ...command);
        expect([deployment, ids]).toEqual([deployment, `${USER.runAsUser},${USER.runAsGroup}\n`]);
      }
    },
    NODE_MS,
  );

  test(
    'a fetch Job has the placement of its model, and the limits that a quota demands',
    async () => {
      const role = '--selector=sightline.dev/role=fetch,team=photos';
      const { items } = await namespace.get<{ readonly items: readonly unknown[] }>('pods', role);
      const { runtime, fetch } = waiting();
      expect(items).toMatchObject([
        {
          metadata: { annotations: runtime.podAnnotations },
          spec: {
            nodeSelector: runtime.nodeSelector,
            tolerations: expect.arrayContaining(runtime.tolerations),
            priorityClassName: WITH_QUOTA,
            securityContext: USER,
            containers: [{ resources: fetch.resources }],
          },
        },
      ]);
      const { status } = await failsWith('without-limit', 'Unschedulable');
      expect(status?.lastFailure?.message).toContain('a quota, a policy or a queue may prevent it');
      await remove('without-limit');
    },
    NODE_MS,
  );

  test(
    'an orphaned fetch Job is replaced, and the owner of a foreign Job is reported',
    async () => {
      const orphaned = await fetchJobOf('waits');
      await namespace.kubectl('delete', 'imodel', 'waits', '--cascade=orphan');
      await add('waits', waiting());
      const api = await namespace.get<KubeObject>('deployment', `${quickstart.name}-api`);
      await namespace.apply(foreignJob('imodel-taken-fetch', api));
      await add('taken', { task: 'Face', source: packs.object('faces.zip') });
      const { status } = await failsWith('taken', 'Refused');
      expect(status?.lastFailure?.message).toBe(
        `The Job imodel-taken-fetch belongs to Deployment ${quickstart.name}-api. Delete it, and the operator creates its own.`,
      );
      await namespace.kubectl('delete', 'job', 'imodel-taken-fetch');
      await isVerified('taken');
      await remove('taken');
      await namespace.until(
        () => fetchJobOf('waits'),
        ({ metadata }) => metadata.uid !== orphaned.metadata.uid,
      );
    },
    NODE_MS,
  );

  test(
    'a pack is fetched from S3 with its digest, and serves requests',
    async () => {
      const { sha256 } = packs;
      await add('fetched', {
        task: 'Face',
        source: packs.object('faces.zip', { sha256 }),
        podsOf: 'faces',
      });
      const { status } = await isVerified('fetched');
      expect(status?.pack).toMatchObject({ sha256, embeddingDimension: 48 });
      await quickstart.underLoad(async () => {
        await request('fetched');
        await quickstart.answers('face', 'fetched');
        await request(null);
        await quickstart.answers('face', 'faces');
      });
    },
    NODE_MS,
  );

  test(
    'a route switches to a model with pods of its own, of which one finds no node, and back, and no request fails',
    async () => {
      await using gpus = new AsyncDisposableStack();
      gpus.use(await namespace.addGpus(2));
      await add('apart', {
        ...quickstart.modelOf(FACES.others, 'Face'),
        replicas: 3,
        runtime: { device: 'GPU', resources: POD },
      });
      await quickstart.underLoad(async () => {
        await request('apart');
        const { status } = await quickstart.answers('face', 'apart');
        expect(status?.available).toMatchObject({ pods: 2 });
        const { items } = await podsOf('apart');
        const pending = items.filter(({ status: { phase } }) => phase === 'Pending');
        expect([items.length, pending.map(({ status: { conditions } }) => conditions)]).toEqual([
          3,
          [expect.arrayContaining([expect.objectContaining({ reason: 'Unschedulable' })])],
        ]);
        await quickstart.modelIs('apart', ({ status }) => (status?.pods?.requested ?? 0) > 0);
        await request(null);
        await quickstart.answers('face', 'faces');
        // The deletion policy admits the deletion once the status names no route.
        await quickstart.modelIs('apart', ({ status }) => status?.routes?.length === 0);
        await remove('apart');
        await namespace.until(
          () => podsOf('apart'),
          ({ items }) => items.every(({ metadata }) => metadata.deletionTimestamp !== undefined),
        );
      });
    },
    NODE_MS,
  );

  test(
    'a fetch whose Secret is missing reports it',
    async () => {
      await failsWith('waits', 'SecretMissing');
      // Creates the missing Secret. The kubelet notices it only after a while, so a later test expects that this
      // model is verified.
      const accessKey = await quickstart.secret('access-key-id');
      const secretKey = await quickstart.secret('secret-access-key');
      await namespace.apply(sourceKeys('later-keys', { accessKey, secretKey }));
    },
    NODE_MS,
  );

  test(
    'a request for a missing model stalls with a reason, and a withdrawn request leaves no trace',
    async () => {
      await quickstart.underLoad(async () => {
        await request('no-model');
        const { status } = await quickstart.routeIs(
          'face',
          (route) => route.status?.phase === 'Stalled',
        );
        expect(conditionOf(status, 'Stalled')).toMatchObject({
          status: 'True',
          reason: 'ModelMissing',
          message: expect.stringContaining('no-model'),
        });
        await request('others');
        await quickstart.routeIs('face', (route) => route.status?.desired?.model === 'others');
        await request(null);
        const settled = await quickstart.routeIs('face', isSettled);
        expect(settled.status?.active).toMatchObject({ model: 'faces', name: FACES.faces });
      });
      await expect(remove('faces')).rejects.toThrow(/face/);
    },
    NODE_MS,
  );

  test(
    'a switch between two models of the same revision succeeds',
    async () => {
      await add('twin', { ...quickstart.modelOf(FACES.faces, 'Face'), podsOf: 'faces' });
      await isVerified('twin');
      await quickstart.underLoad(async () => {
        await request('twin');
        await quickstart.routeIs(
          'face',
          (route) => route.status?.desired?.model === 'twin' && isSettled(route),
        );
        await request(null);
        await quickstart.routeIs(
          'face',
          (route) => route.status?.desired?.model === 'faces' && isSettled(route),
        );
      });
      await quickstart.modelIs('twin', ({ status }) => status?.routes?.length === 0);
      await remove('twin');
      await quickstart.answers('face', 'faces');
    },
    NODE_MS,
  );

  test(
    'pods report a lack of memory or disk space, start only the threads that fit, and other pods go on serving',
    async () => {
      const small = (runtime: object) => ({
        ...quickstart.modelOf(FACES.faces, 'Face'),
        standby: 'Warm',
        runtime: { device: 'CPU', resources: POD, ...runtime },
      });
      await quickstart.underLoad(async () => {
        const limits = { memory: '64Mi' };
        await add('hungry', small({ resources: { requests: { memory: '32Mi' }, limits } }));
        await add('wide', small({ modelSpace: '4Ki' }));
        const busy = { requests: POD.requests, limits: { memory: '384Mi' } };
        await add('busy', small({ threads: 64, resources: busy }));
        await failsWith('hungry', 'OutOfMemory');
        await remove('hungry');
        await failsWith('wide', 'NoSpace');
        await remove('wide');
        const { status } = await quickstart.modelIs(
          'busy',
          (model) => isTrue(model.status, 'Warm') && model.status?.runtime !== undefined,
        );
        expect(status?.runtime?.threads).toBeLessThan(64);
        const { items } = await podsOf('busy');
        expect(items).toMatchObject([{ status: { containerStatuses: [{ restartCount: 0 }] } }]);
        await remove('busy');
      });
      // It has no CPU limit, and the node has more than one core.
      const { status } = await quickstart.modelIs('faces', (model) => isTrue(model.status, 'Warm'));
      expect(status?.runtime).toMatchObject({ threads: 1, suggestedRequests: { cpu: '1' } });
    },
    NODE_MS,
  );

  test(
    'a pod that starts while S3 is down waits for it, and other pods go on serving',
    async () => {
      const s3 = `statefulset/${quickstart.name}-s3`;
      await namespace.kubectl('scale', s3, '--replicas=0');
      await namespace.kubectl(
        'wait',
        `pod/${quickstart.name}-s3-0`,
        '--for=delete',
        '--timeout=120s',
      );
      await quickstart.underLoad(async () => {
        await namespace.kubectl('scale', 'imodel/faces', '--replicas=2');
        await failsWith('faces', 'StoreUnavailable');
      });
      await namespace.kubectl('scale', s3, '--replicas=1');
      await quickstart.underLoad(() =>
        quickstart.modelIs('faces', ({ status }) => status?.pods?.warm === 2),
      );
    },
    NODE_MS,
  );

  test(
    'a pod is evicted under load, and no request fails',
    async () => {
      // Before the new pod is ready, the disruption budget would refuse the eviction.
      await namespace.kubectl('rollout', 'status', 'deployment/imodel-faces', '--timeout=180s');
      const { items } = await podsOf('faces');
      expect(items).toHaveLength(2);
      const { name } = items[0]!.metadata;
      await quickstart.underLoad(async () => {
        await namespace.evict(name);
        await namespace.kubectl('wait', `pod/${name}`, '--for=delete', '--timeout=120s');
        await quickstart.modelIs('faces', ({ status }) => status?.pods?.warm === 2);
      });
    },
    NODE_MS,
  );

  test(
    'the operator is killed and the API pods restart at each step of a switch, which ends, and no request fails',
    async () => {
      await quickstart.underLoad(async () => {
        // The first kill comes at the same time as the request, before any process has seen the request.
        await Promise.all([request('others'), killWriters()]);
        await throughSwitch('others', killWriters);
        await allServe('operator');
        await allServe('api');
      });
    },
    NODE_MS,
  );

  test(
    'API processes are killed at each step of the switch back, which ends, and no identity is lost',
    async () => {
      const api = 'app.kubernetes.io/component=api';
      let killed = 0;
      const kill = async () => {
        killed += await namespace.killPrograms(api);
      };
      await Promise.all([request(null), kill()]);
      await throughSwitch('faces', kill);
      await quickstart.apiAnswers();
      await quickstart.underLoad(() => Promise.resolve());
      expect(killed).toBeGreaterThanOrEqual(2);
    },
    NODE_MS,
  );

  test(
    'the API server is killed during a switch: requests are answered, and the switch ends once it is back',
    async () => {
      await quickstart.underLoad(async () => {
        await request('others');
        await withoutApiServer(() => sleep(10_000));
        await quickstart.answers('face', 'others');
        await request(null);
        await quickstart.answers('face', 'faces');
      });
    },
    NODE_MS,
  );

  test(
    'a pod uses the GPU, and its successor waits until the rollout may delete the old pod first',
    async () => {
      await using gpu = new AsyncDisposableStack();
      gpu.use(await namespace.addGpus(1));
      const runtime = { device: 'GPU', resources: POD };
      const spec = { ...quickstart.modelOf(FACES.others, 'Face'), standby: 'Warm', runtime };
      await add('on-gpu', spec);
      const isWarm = () => quickstart.modelIs('on-gpu', ({ status }) => isTrue(status, 'Warm'));
      await isWarm();
      await add('on-gpu', { ...spec, runtime: { ...runtime, threads: 2 } });
      const pods = () => namespace.get<Pods>('pods', selectorOf('on-gpu'));
      await namespace.until(pods, ({ items }) =>
        items.some(({ status }) => messagesOf(status).includes('Insufficient nvidia.com/gpu')),
      );
      await quickstart.modelIs('on-gpu', ({ status }) => {
        const { status: is, message = '' } = conditionOf(status, 'Reconciling') ?? {};
        return is === 'True' && message.includes('Insufficient nvidia.com/gpu');
      });
      await isWarm();
      await quickstart.patch('imodel', 'on-gpu', { spec: { rollout: { type: 'Replace' } } });
      await namespace.kubectl('rollout', 'status', 'deployment/imodel-on-gpu', '--timeout=240s');
      await isWarm();
      await remove('on-gpu');
    },
    NODE_MS,
  );

  test(
    'a fetch that waited for a Secret succeeds once it exists, and a stalled download fails',
    async () => {
      await isVerified('waits');
      const { status } = await failsWith('stalls', 'SourceUnreachable');
      expect(status?.lastFailure).toMatchObject({
        message: expect.stringContaining('bad-server'),
        retryAt: expect.any(String),
      });
    },
    NODE_MS,
  );

  test(
    'an active model is not scaled to zero, its route is not deleted, and its suspension is reported',
    async () => {
      const scaling = ['scale', 'imodel/faces', '--replicas=0'];
      const deletion = ['delete', 'iroute/face'];
      const refusal = /requests of the route face, object would fail/;
      await expect(namespace.kubectl(...scaling)).rejects.toThrow(refusal);
      const scaledToZero = quickstart.patch('imodel', 'faces', { spec: { replicas: 0 } });
      await expect(scaledToZero).rejects.toThrow(refusal);
      await expect(namespace.kubectl(...deletion)).rejects.toThrow(/its model is active/);
      {
        await using annotations = new AsyncDisposableStack();
        for (const object of ['imodel/faces', 'iroute/face']) {
          annotations.defer(async () => {
            await namespace.kubectl('annotate', object, 'sightline.dev/delete-anyway-');
          });
          await namespace.kubectl('annotate', object, 'sightline.dev/delete-anyway=');
        }
        // The API server may read the annotation of the model a moment later.
        for (const command of [scaling, deletion]) {
          const allowed = () => namespace.kubectl(...command, '--dry-run=server');
          await namespace.until(allowed, () => true);
        }
      }

      const suspend = [
        'patch',
        'imodel/faces',
        '--type=merge',
        '--patch={"spec":{"suspend":true}}',
      ];
      {
        await using suspension = new AsyncDisposableStack();
        suspension.defer(() => quickstart.patch('imodel', 'faces', { spec: { suspend: false } }));
        await expect(namespace.kubectl(...suspend, '--warnings-as-errors')).rejects.toThrow(
          /Warning: .*requests of the route face, object fail/,
        );
        await quickstart.modelIs('faces', ({ status }) => status?.state === 'NotServing');
        await quickstart.routeIs(
          'face',
          ({ status }) => conditionOf(status, 'Ready')?.reason === 'NotServing',
        );
        const warnings = () =>
          namespace.kubectl('events', '--for=inferenceroute/face', '--types=Warning');
        await namespace.until(warnings, (text) => text.includes('NotServing'));
      }
      await quickstart.modelIs('faces', ({ status }) => status?.state === 'Active');
    },
    NODE_MS,
  );

  test(
    'a namespace is deleted in the middle of a switch',
    async () => {
      await request('others');
      await quickstart.routeIs('face', (route) => route.status?.desired?.model === 'others');
      await namespace.kubectl('delete', 'namespace', namespace.name, '--timeout=180s');
    },
    NODE_MS,
  );
});

function inGroups<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const starts = items.flatMap((_, at) => (at % size === 0 ? [at] : []));
  return starts.map((from) => items.slice(from, from + size));
}

/** A Job that never runs and belongs to another object. */
function foreignJob(name: string, { apiVersion, kind, metadata }: KubeObject): object {
  const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true };
  const containers = [{ name: 'nothing', image: 'localhost/pause:1' }];
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, ownerReferences: [owner] },
    spec: { suspend: true, template: { spec: { containers, restartPolicy: 'Never' } } },
  };
}

function selectorOf(host: string): string {
  return `--selector=sightline.dev/model=${host},sightline.dev/role=inference`;
}

type Status = InferenceModel['status'] | InferenceRoute['status'];

function conditionOf(status: Status, type: string) {
  return status?.conditions?.find((condition) => condition.type === type);
}

function isTrue(status: Status, type: string): boolean {
  return conditionOf(status, type)?.status === 'True';
}

/** Whether the operator has observed that the requested model is active. */
function isSettled({ metadata, status }: InferenceRoute): boolean {
  return (
    status?.observedGeneration === metadata.generation &&
    (status?.phase === 'Idle' || status?.phase === 'Draining')
  );
}

function messagesOf({ conditions = [] }: Pods['items'][number]['status']): string {
  return conditions.map(({ message = '' }) => message).join();
}
