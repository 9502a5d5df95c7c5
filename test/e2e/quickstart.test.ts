import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, createClient } from '@sightline/contracts/client';
import type { InferenceModel } from '@sightline/kube/resources/inference-model';
import type { InferenceRoute } from '@sightline/kube/resources/inference-route';
import { describeOnNode, NodeNamespace } from '../support/cluster/node.ts';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { TOY_PACKS, writeOtherToyFaces, writeToyPacks } from '../support/fixtures/toy-packs.ts';
import { activateModel } from '../support/services/activate-model.ts';
import { ok } from '../support/services/ok.ts';

const RELEASE = 'sl';
const OTHER = 'other-faces';
const IMAGE = { repository: 'docker.io/library/sightline', tag: 'e2e' };
const POD = { requests: { cpu: '50m', memory: '192Mi' }, limits: { memory: '1Gi' } };
const START_MS = 300_000;
/** Two rollouts, in which each pod has to be known to all who ask before the next one goes. */
const LONG_MS = 600_000;

describeOnNode('the quickstart on real pods', () => {
  const photos = new NodeNamespace('photos');
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  /** Revisions of the packs, by name. */
  const revisions = new Map<string, string>();
  let client: Client;

  beforeAll(async () => {
    folder = await temporaryFolder();
    // Helm wants the dependency as a folder, and not as a link.
    await cp(resolve('charts'), join(folder.path, 'charts'), {
      recursive: true,
      dereference: true,
    });
    await photos.create();
    await photos.addVolumes(2);
  });
  afterAll(async () => {
    await folder[Symbol.asyncDispose]();
  });

  /** Of the release, with what it has on this node. */
  async function release(command: 'install' | 'upgrade', more: object = {}): Promise<void> {
    const values = {
      global: { image: IMAGE },
      // There is no Qdrant in any registry of packages, and events come from the database.
      vectors: { kind: 'embedded' },
      quickstart: {
        storageClassName: 'local',
        postgres: { image: 'docker.io/library/postgres:e2e' },
        s3: { image: 'docker.io/library/sightline-s3:e2e' },
        kafka: { enabled: false },
      },
      api: { replicas: 2, resources: POD },
      models: {
        'starter-faces': null,
        'starter-objects': null,
        faces: { ...modelOf(TOY_PACKS.face, 'Face'), runtime: { device: 'CPU', resources: POD } },
        others: { ...modelOf(OTHER, 'Face'), podsOf: 'faces' },
        objects: { ...modelOf(TOY_PACKS.object, 'Object'), podsOf: 'faces' },
      },
      routes: { face: { defaultModel: 'faces' }, object: { defaultModel: 'objects' } },
      ...more,
    };
    const file = join(folder.path, 'values.json');
    await writeFile(file, JSON.stringify(values));
    const quickstart = resolve('charts/sightline/values-quickstart.yaml');
    const chart = join(folder.path, 'charts/sightline');
    await photos.helm(command, RELEASE, chart, `--values=${quickstart}`, `--values=${file}`);
  }

  const modelOf = (packName: string, task: string) => ({
    task,
    packName,
    source: { store: {} },
    revision: revisions.get(packName) ?? '0'.repeat(64),
  });

  /** Puts toy packs into the store of models, as sites without a network do. */
  async function pushPacks(): Promise<void> {
    const packs = join(folder.path, 'packs');
    await writeToyPacks(packs);
    await writeOtherToyFaces(packs, OTHER);
    const { data } = await photos.get<{ readonly data: Readonly<Record<string, string>> }>(
      'secret',
      `${RELEASE}-quickstart`,
    );
    const { status } = await photos.get<{ readonly status: { readonly podIP: string } }>(
      'pod',
      `${RELEASE}-s3-0`,
    );
    const secret = (key: string) => Buffer.from(data[key]!, 'base64').toString();
    const names = [TOY_PACKS.face, TOY_PACKS.object, OTHER];
    const child = spawn(
      process.execPath,
      ['apps/models/src/main.ts', 'push', ...names.map((name) => join(packs, name))],
      {
        env: {
          ...process.env,
          SIGHTLINE_S3_ENDPOINT: `http://${status.podIP}:9000`,
          SIGHTLINE_S3_BUCKET: 'sightline',
          SIGHTLINE_S3_ACCESS_KEY: secret('access-key-id'),
          SIGHTLINE_S3_SECRET_KEY: secret('secret-access-key'),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [said, [code]] = await Promise.all([
      text(child.stdout),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    expect(code).toBe(0);
    for (const [, name, revision] of said.matchAll(/^(\S+) ([0-9a-f]{64})$/gm)) {
      revisions.set(name!, revision!);
    }
    expect([...revisions.keys()].sort()).toEqual(names.toSorted());
  }

  const routeIs = (slot: string, holds: (route: InferenceRoute) => boolean) =>
    photos.until<InferenceRoute>(['iroute', slot], holds);
  const answers = (slot: string, name: string) =>
    routeIs(slot, ({ status }) => status?.active?.model === name);

  /** Until the health of the service names the model. */
  async function says(wanted: string): Promise<void> {
    for (;;) {
      const { models } = ok(await client.getHealth());
      if (models.some(({ name }) => name === wanted)) return;
      await sleep(300);
    }
  }

  /** Asks until told to stop; every answer knows Ada, whom a vector of another model would not. */
  async function ask(stop: AbortSignal): Promise<number> {
    const file = await drawPhoto({ faces: ['Ada 2'] });
    let answered = 0;
    for (; !stop.aborted; answered++) {
      const { faces } = ok(await client.identifyFaces({ body: { file } }));
      expect(faces).toMatchObject([{ label: 'Ada' }]);
    }
    return answered;
  }

  /** Runs work while four callers ask, of whose requests none may fail. */
  async function underLoad(work: () => Promise<unknown>): Promise<void> {
    const stop = new AbortController();
    const asking = Promise.all([1, 2, 3, 4].map(() => ask(stop.signal)));
    try {
      await Promise.race([asking, work()]);
    } finally {
      stop.abort();
    }
    expect(Math.min(...(await asking))).toBeGreaterThan(10);
  }

  test(
    'from nothing to a photo with names',
    async () => {
      await release('install', {
        models: { 'starter-faces': null, 'starter-objects': null },
        routes: { face: null, object: null },
      });
      await photos.kubectl('rollout', 'status', `statefulset/${RELEASE}-s3`, '--timeout=120s');
      await photos.kubectl('rollout', 'status', `deployment/${RELEASE}-api`, '--timeout=180s');
      await pushPacks();
      await release('upgrade');
      await Promise.all([answers('face', 'faces'), answers('object', 'objects')]);

      const api = `deployment/${RELEASE}-api`;
      const command = ['/app/node', 'apps/cli/src/main.ts', 'key', 'create', '--admin'];
      const said = await photos.kubectl('exec', api, '-c', 'api', '--', ...command);
      const apiKey = /sightline_\w+/.exec(said)![0];
      const { spec } = await photos.get<{ readonly spec: { readonly clusterIP: string } }>(
        'service',
        `${RELEASE}-api`,
      );
      client = createClient({ baseUrl: `http://${spec.clusterIP}`, fetch, apiKey });

      const file = await drawPhoto({ faces: ['Ada'], objects: ['bus'] });
      const seen = ok(await client.detectAll({ body: { file } }));
      expect([seen.faces.length, seen.objects]).toMatchObject([1, [{ class_name: 'bus' }]]);
      ok(
        await client.enrollFace({
          body: { name: 'Ada', file: await drawPhoto({ faces: ['Ada'] }) },
        }),
      );
      const other = await drawPhoto({ faces: ['Ada 2', 'Bea'] });
      const { faces } = ok(await client.identifyFaces({ body: { file: other } }));
      expect(faces.map(({ label }) => label).sort()).toEqual(['Ada', null]);
    },
    START_MS,
  );

  test(
    'one model follows another under load, over the API and by kubectl, and no request fails',
    async () => {
      await underLoad(async () => {
        await activateModel(client, OTHER);
        await answers('face', 'others');
        await sleep(3_000);
      });
      await says(OTHER);
      const { spec, status } = await photos.get<InferenceRoute>('iroute', 'face');
      expect(spec).toMatchObject({ defaultModel: 'faces', model: 'others' });
      expect(status).toMatchObject({ previous: { model: 'faces' }, active: { name: OTHER } });

      const patch = ['patch', 'iroute', 'face', '--type=merge', '--patch'];
      await underLoad(async () => {
        await photos.kubectl(...patch, '{"spec":{"model":"faces"}}');
        await answers('face', 'faces');
        await sleep(3_000);
      });
      await says(TOY_PACKS.face);
      // Whoever wrote last owns the field: an activation is refused now.
      const { items } = ok(await client.listModels());
      const { id } = items.find(({ name }) => name === OTHER)!;
      const { problem } = await client.activateModel({ path: { id }, body: {} });
      expect(problem).toMatchObject({
        status: 409,
        code: 'activation_declared',
        detail:
          'Which face model answers is declared by kubectl-patch (InferenceRoute face, spec.model); change it there.',
      });
      await photos.kubectl(...patch, '{"spec":{"model":null}}');
    },
    LONG_MS,
  );

  test(
    'pods are added and killed under load, and no request fails',
    async () => {
      await underLoad(async () => {
        await photos.kubectl('scale', 'imodel/faces', '--replicas=2');
        await photos.until<InferenceModel>(
          ['imodel', 'faces'],
          ({ status }) => status?.pods?.warm === 2,
        );
        await sleep(10_000);
        const pods = ['pods', '--selector=sightline.dev/inference'];
        const { items } = await photos.get<{
          readonly items: readonly { readonly metadata: { readonly name: string } }[];
        }>(...pods);
        expect(items).toHaveLength(2);
        await photos.kubectl('delete', 'pod', items[0]!.metadata.name);
        await photos.until<InferenceModel>(
          ['imodel', 'faces'],
          ({ status }) => status?.pods?.warm === 2,
        );
      });
    },
    LONG_MS,
  );

  test(
    'a model whose pods find no GPU says so in the words of the scheduler, and what answers goes on',
    async () => {
      await photos.apply({
        apiVersion: 'sightline.dev/v1alpha1',
        kind: 'InferenceModel',
        metadata: { name: 'on-gpu' },
        spec: { ...modelOf(OTHER, 'Face'), standby: 'Warm', runtime: { device: 'GPU' } },
      });
      const { status } = await photos.until<InferenceModel>(
        ['imodel', 'on-gpu'],
        (model) => model.status?.lastFailure?.reason === 'Unschedulable',
      );
      expect(status?.lastFailure?.message).toContain('Insufficient nvidia.com/gpu');
      await photos.kubectl('delete', 'imodel', 'on-gpu');
      await answers('face', 'faces');
    },
    LONG_MS,
  );

  test(
    'the chart is upgraded and rolled back under load, and no request fails',
    async () => {
      await underLoad(async () => {
        await release('upgrade', { logLevel: 'warn' });
        await rolledOut();
        await photos.helm('rollback', RELEASE);
        await rolledOut();
      });
    },
    LONG_MS,
  );

  async function rolledOut(): Promise<void> {
    const names = [`deployment/${RELEASE}-api`, 'deployment/imodel-faces'];
    for (const name of names) await photos.kubectl('rollout', 'status', name, '--timeout=180s');
  }

  test(
    'the release tries itself, and leaves volumes and definitions when it is uninstalled',
    async () => {
      expect(await photos.helm('test', RELEASE, '--logs')).toMatch(/Phase: +Succeeded/);
      await photos.helm('uninstall', RELEASE, '--wait');
      expect(await photos.kubectl('get', 'pvc', '--output=name')).toContain('postgres-0');
      expect(await photos.kubectl('get', 'crd', '--output=name')).toContain('inferencemodels');
      await photos.kubectl('delete', 'namespace', photos.name, '--timeout=120s');
    },
    LONG_MS,
  );
});
