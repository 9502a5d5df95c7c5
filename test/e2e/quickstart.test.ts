import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/waits/eventually.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import { conditionOf } from '@sightline/contracts/cluster/inference-route-rules';
import { describeOnNode } from '../support/cluster/describe-on-node.ts';
import { NodeNamespace } from '../support/cluster/node.ts';
import { FACES, HAS_QDRANT, POD, Quickstart } from '../support/cluster/quickstart.ts';
import { startScriptPod } from '../support/cluster/script-pod.ts';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { untilAvailable } from '../support/servers/until-available.ts';
import { activateModel } from '../support/services/activate-model.ts';
import { ok } from '../support/services/ok.ts';
import { NODE_MS } from '../support/waits/limits.ts';

/** Time in ms after which a process has read a changed file of a Secret. */
const READ_MS = 12_000;

interface OperatorPod {
  readonly metadata: { readonly uid: string; readonly deletionTimestamp?: string };
  readonly status: {
    readonly conditions: readonly { readonly type: string; readonly lastTransitionTime: string }[];
    readonly containerStatuses: readonly {
      readonly ready: boolean;
      readonly restartCount: number;
    }[];
  };
}

interface Lease {
  readonly spec: { readonly holderIdentity: string };
}

const INDEX = HAS_QDRANT ? 'a Qdrant' : 'API processes, because .cache/tools has no Qdrant';

describeOnNode(`the quickstart on real pods, with the index in ${INDEX}`, () => {
  let quickstart: Quickstart;
  let photos: NodeNamespace;

  beforeAll(async () => {
    quickstart = await Quickstart.prepare('photos', { volumes: 3, hasQdrant: HAS_QDRANT });
    photos = quickstart.namespace;
  });
  afterAll(() => quickstart[Symbol.asyncDispose]());

  /** Waits until the health response names the model. */
  async function showsModel(desired: string): Promise<void> {
    for (;;) {
      const { models } = ok(await quickstart.client.getHealth());
      if (models.some(({ name }) => name === desired)) return;
      await sleep(300);
    }
  }

  test('a new installation identifies a face', async () => {
    await quickstart.start();
    const { client } = quickstart;
    const file = await drawPhoto({ faces: ['Ada'], objects: ['bus'] });
    const seen = ok(await client.detectAll({ body: { file } }));
    expect([seen.faces.length, seen.objects]).toMatchObject([1, [{ class_name: 'bus' }]]);
    await quickstart.enrollAda();
    const other = await drawPhoto({ faces: ['Ada 2', 'Bea'] });
    const { faces } = ok(await client.identifyFaces({ body: { file: other } }));
    expect(faces.map(({ label }) => label).sort()).toEqual(['Ada', null]);
  });

  test(
    'a route switches under load, over the API and by kubectl, and no request fails',
    async () => {
      await quickstart.underLoad(async () => {
        await activateModel(quickstart.client, FACES.others);
        await quickstart.answers('face', 'others');
        await sleep(3_000);
      });
      await showsModel(FACES.others);
      const { spec, status } = await photos.get<InferenceRoute>('iroute', 'face');
      expect(spec).toMatchObject({ defaultModel: 'faces', model: 'others' });
      expect(status).toMatchObject({
        previous: { model: 'faces' },
        active: { name: FACES.others },
      });

      await quickstart.underLoad(async () => {
        await quickstart.patch('iroute', 'face', { spec: { model: 'faces' } });
        await quickstart.answers('face', 'faces');
        await sleep(3_000);
      });
      await showsModel(FACES.faces);
      // kubectl now owns the field, so the API rejects an activation.
      const { client } = quickstart;
      const { items } = ok(await client.listModels());
      const { id } = items.find(({ name }) => name === FACES.others)!;
      const { problem } = await client.activateModel({ path: { id }, body: {} });
      expect(problem).toMatchObject({
        status: 409,
        code: 'activation_declared',
        detail:
          'The active face model is declared by kubectl-patch (InferenceRoute face, spec.model); change it there.',
      });
      await quickstart.patch('iroute', 'face', { spec: { model: null } });
    },
    NODE_MS,
  );

  test(
    'pods are added, killed and removed under load, and no request fails',
    async () => {
      await quickstart.underLoad(async () => {
        await photos.kubectl('scale', 'imodel/faces', '--replicas=2');
        await quickstart.modelIs('faces', ({ status }) => status?.pods?.warm === 2);
        await sleep(10_000);
        const pods = await photos.podsOf('sightline.dev/inference');
        expect(pods).toHaveLength(2);
        await photos.kubectl('label', 'pod', pods[1]!, 'example.com/killed=');
        await photos.killPrograms('example.com/killed');
        const restarts = '{.status.containerStatuses[0].restartCount}';
        for (const state of [`jsonpath=${restarts}=1`, 'condition=Ready']) {
          await photos.kubectl('wait', `pod/${pods[1]}`, `--for=${state}`, '--timeout=120s');
        }
        await sleep(10_000);
        await photos.kubectl('delete', 'pod', pods[0]!);
        await quickstart.modelIs('faces', ({ status }) => status?.pods?.warm === 2);
        await photos.kubectl('scale', 'imodel/faces', '--replicas=1');
        await quickstart.modelIs('faces', ({ status }) => status?.pods?.warm === 1);
      });
    },
    NODE_MS,
  );

  const testWithQdrant = HAS_QDRANT ? test : test.skip;
  testWithQdrant(
    'while the pod of Qdrant is deleted, a search is rejected and nothing is lost',
    async () => {
      const { client, name } = quickstart;
      const file = await drawPhoto({ faces: ['Ada 2'] });
      const qdrant = `statefulset/${name}-qdrant`;
      await photos.kubectl('scale', qdrant, '--replicas=0');
      await photos.kubectl('wait', `pod/${name}-qdrant-0`, '--for=delete', '--timeout=120s');
      const { problem } = await client.identifyFaces({ body: { file } });
      expect(problem).toMatchObject({ status: 503, code: 'vectors_unavailable' });
      ok(
        await client.enrollFace({
          body: { name: 'Bea', file: await drawPhoto({ faces: ['Bea'] }) },
        }),
      );
      await photos.kubectl('scale', qdrant, '--replicas=1');
      for (const [known, person] of [
        [file, 'Ada'],
        [await drawPhoto({ faces: ['Bea 2'] }), 'Bea'],
      ] as const) {
        const { faces } = ok(
          await untilAvailable(() => client.identifyFaces({ body: { file: known } })),
        );
        expect(faces.map(({ label }) => label)).toEqual([person]);
      }
    },
    NODE_MS,
  );

  test(
    'pods reach only the targets that their network policies name',
    async () => {
      const { name } = quickstart;
      const [inference] = await photos.podsOf('sightline.dev/inference');
      const [operator] = await photos.podsOf('app.kubernetes.io/component=operator');
      const addresses = {
        api: `${name}-api.${name}:80`,
        answers: `${await photos.podAddress(inference!)}:8080`,
        metrics: `${await photos.podAddress(inference!)}:9464`,
        operator: `${await photos.podAddress(operator!)}:9464`,
        postgres: `${name}-postgres.${name}:5432`,
        s3: `${name}-s3.${name}:9000`,
        ...(HAS_QDRANT && { qdrant: `${name}-qdrant.${name}:6333` }),
        kubernetes: 'kubernetes.default:443',
      };
      /**
       * @param own the targets to leave out, because they may be the pod itself: no policy blocks connections of a
       * pod to itself
       */
      const reachedBy = async (pod: string, { namespace = photos, own = '' } = {}) => {
        const tried = Object.entries(addresses).filter(
          ([target]) => !own.split(' ').includes(target),
        );
        const outcomes = await namespace.connects(
          pod,
          tried.map(([, address]) => address),
        );
        return tried.map(([target]) => target).filter((_target, at) => outcomes[at] === 'open');
      };
      const script = 'setInterval(() => {}, 1000)';
      const elsewhere = new NodeNamespace('elsewhere');
      await elsewhere.create();
      await startScriptPod(photos, { name: 'neighbor', script });
      await startScriptPod(elsewhere, { name: 'outsider', script });
      const reached = async () => ({
        api: await reachedBy(`deployment/${name}-api`, { own: 'api' }),
        ...(HAS_QDRANT && { worker: await reachedBy(`deployment/${name}-worker`) }),
        inference: await reachedBy(inference!, { own: 'answers metrics' }),
        operator: await reachedBy(operator!, { own: 'operator' }),
        neighbor: await reachedBy('neighbor'),
        outsider: await reachedBy('outsider', { namespace: elsewhere }),
      });
      const stores = ['postgres', 's3', ...(HAS_QDRANT ? ['qdrant'] : [])];
      const named = {
        api: ['answers', ...stores, 'kubernetes'],
        ...(HAS_QDRANT && { worker: ['answers', ...stores, 'kubernetes'] }),
        inference: ['s3'],
        operator: ['metrics', 'kubernetes'],
        // This pod belongs to no release, but in the quickstart the stores accept connections from all pods of their
        // namespace.
        neighbor: ['api', ...stores, 'kubernetes'],
        outsider: ['api', 'kubernetes'],
      };
      // The node adds a new pod to its firewall rules only after the pod has started.
      await eventually(reached, named);
      await elsewhere.kubectl('delete', 'namespace', elsewhere.name);
    },
    NODE_MS,
  );

  test(
    'the inference key is rotated with the documented commands, while the operator loses its Lease and its rights, and no request fails',
    async () => {
      const commands = await quickstart.documentedCommands('secrets', 'inference-key');
      const inference = '--selector=sightline.dev/inference';
      const callers = '--selector=app.kubernetes.io/component in (api, worker)';
      const reasonIs = (reason: string) =>
        quickstart.modelIs(
          'faces',
          ({ status }) => conditionOf(status?.conditions, 'CredentialsCurrent')?.reason === reason,
        );
      await quickstart.underLoad(async () => {
        const [old] = await keysOfSecret();
        const rotated = photos.bash(commands);
        // The wait below reports a failure; until then it must not end the process.
        rotated.catch(() => undefined);
        await photos.until(keysOfSecret, (keys) => keys.length === 2);
        // Callers send the new key first to pods that do not accept it yet.
        await photos.updateSecrets(callers);
        await sleep(READ_MS);
        await photos.updateSecrets(inference);
        await operatorLosesLease();
        await operatorLosesRights();
        await rotated;
        await photos.updateSecrets(inference);
        await reasonIs('OneKey');
        await photos.updateSecrets(callers);
        await sleep(READ_MS);
        expect(await keysOfSecret()).toEqual([expect.not.stringMatching(old!)]);
      });
    },
    NODE_MS,
  );

  async function keysOfSecret(): Promise<readonly string[]> {
    return (await quickstart.secret('inference-key')).split('\n').filter((key) => key !== '');
  }

  async function operatorPod(): Promise<OperatorPod> {
    const selector = '--selector=app.kubernetes.io/component=operator';
    const { items } = await photos.get<{ readonly items: readonly OperatorPod[] }>(
      'pods',
      selector,
    );
    const pod = items.find(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (pod === undefined) throw new Error('The operator has no pod.');
    return pod;
  }

  /** Gives the Lease to another holder, and waits until the same process of the operator leads again. */
  async function operatorLosesLease(): Promise<void> {
    const lease = () => photos.get<Lease>('lease', 'sightline-operator');
    const before = await operatorPod();
    // The identity names a process, so a restarted one has another.
    const { holderIdentity } = (await lease()).spec;
    await quickstart.patch('lease', 'sightline-operator', { spec: { holderIdentity: 'another' } });
    await photos.until(lease, ({ spec }) => spec.holderIdentity !== 'another');
    expect((await lease()).spec.holderIdentity).toBe(holderIdentity);
    // Its times of transitions show that it has been ready all the time.
    const { metadata, status } = await operatorPod();
    expect([metadata.uid, status.conditions]).toEqual([
      before.metadata.uid,
      before.status.conditions,
    ]);
  }

  /** Takes the operator's rights away, and gives them back once a new process has reported the missing ones. */
  async function operatorLosesRights(): Promise<void> {
    const name = `${photos.name}:${quickstart.name}-operator`;
    const deployment = `deployment/${quickstart.name}-operator`;
    const { subjects } = await photos.get<{ readonly subjects: object }>(
      'clusterrolebinding',
      name,
    );
    {
      await using rights = new AsyncDisposableStack();
      rights.defer(() => quickstart.patch('clusterrolebinding', name, { subjects }));
      await quickstart.patch('clusterrolebinding', name, { subjects: null });
      await photos.kubectl('rollout', 'restart', deployment);
      await photos.until(
        () => photos.kubectl('logs', deployment, '--limit-bytes=10000'),
        (log) => /it may not .*patch deployments.apps in all namespaces/.test(log),
      );
      expect((await operatorPod()).status.containerStatuses).toMatchObject([{ ready: false }]);
    }
    await photos.kubectl('rollout', 'status', deployment, '--timeout=180s');
  }

  test(
    'the chart is upgraded to an autoscaled API and rolled back under load, and no request and no pod is lost',
    async () => {
      // Without metrics, the autoscaler only keeps the count within its bounds.
      const autoscaling = { enabled: true, minReplicas: 1, maxReplicas: 3 };
      const api = { replicas: 2, resources: POD, autoscaling };
      await quickstart.underLoad(async () => {
        await quickstart.release('upgrade', { logLevel: 'warn', api });
        await rolledOut();
        expect(await apiPods()).toHaveLength(2);
        await photos.helm('rollback', quickstart.name);
        await rolledOut();
        expect(await apiPods()).toHaveLength(2);
      });
    },
    NODE_MS,
  );

  const apiPods = () => photos.podsOf('app.kubernetes.io/component=api');

  async function rolledOut(): Promise<void> {
    const roles = ['api', ...(HAS_QDRANT ? ['worker', 'projector', 'dispatcher'] : [])];
    const names = roles.map((role) => `deployment/${quickstart.name}-${role}`);
    for (const name of [...names, 'deployment/imodel-faces'])
      await photos.kubectl('rollout', 'status', name, '--timeout=180s');
  }

  test(
    'helm test passes, and an uninstallation keeps volumes and CRDs',
    async () => {
      expect(await photos.helm('test', quickstart.name, '--logs')).toMatch(/Phase: +Succeeded/);
      await photos.helm('uninstall', quickstart.name, '--wait');
      expect(await photos.kubectl('get', 'pvc', '--output=name')).toContain('postgres-0');
      expect(await photos.kubectl('get', 'crd', '--output=name')).toContain('inferencemodels');
      await photos.kubectl('delete', 'namespace', photos.name, '--timeout=120s');
    },
    NODE_MS,
  );
});
