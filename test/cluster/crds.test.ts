import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { KubeClient } from '@sightline/kube/kube-client';
import {
  INFERENCE_MODELS,
  type InferenceModel,
} from '@sightline/contracts/cluster/inference-model';
import {
  INFERENCE_ROUTES,
  type InferenceRoute,
} from '@sightline/contracts/cluster/inference-route';
import { describePack } from '@sightline/engine/packs/describe-pack';
import { parseManifest } from '@sightline/engine/packs/manifest';
import { packOf } from '@sightline/models/fetch/fetch-end';
import { ApiServer } from '../support/cluster/api-server.ts';
import { describeWithApiServer } from '../support/cluster/describe-with-api-server.ts';

const NEVER = new AbortController().signal;
const CRDS = resolve('crds');
const EXAMPLES = join(import.meta.dirname, '../support/cluster/examples');
const REFUSED = JSON.parse(
  await readFile(join(EXAMPLES, 'refused.json'), 'utf8'),
) as readonly (readonly [kind: string, what: string, spec: object, message: string])[];

/** Changes of an existing object with the error message; null if the API server accepts the change. */
const CHANGES: readonly (readonly [spec: object, message: string | null])[] = [
  [{ task: 'Object' }, 'task cannot be changed'],
  [{ source: { sha256: '0'.repeat(64) } }, 'source.sha256 cannot be changed'],
  [{ source: { sha256: null } }, 'source.sha256 cannot be changed'],
  [{ packName: 'other' }, 'packName cannot be changed'],
  [{ podsOf: 'starter-faces', runtime: null, autoscaling: null }, 'podsOf cannot be changed'],
  [{ source: { s3: { endpoint: 'https://elsewhere.example.org' } } }, null],
  [{ revision: '1'.repeat(64) }, null],
];

const PIXELS = {
  input: { width: 112, height: 112 },
  mean: [0, 0, 0],
  std: [1, 1, 1],
  color_order: 'rgb',
};
const FACE_COMPONENTS = [
  { ...PIXELS, role: 'FaceDetector', architecture: 'scrfd', file: 'detector.onnx' },
  {
    ...PIXELS,
    role: 'FaceRecognizer',
    architecture: 'arcface',
    file: 'recognizer.onnx',
    embedding_dim: 512,
  },
];

describeWithApiServer('the custom resources', () => {
  let server: ApiServer;
  let client: KubeClient;
  beforeAll(async () => {
    server = await ApiServer.start();
    client = new KubeClient(await server.connect());
    const crds = ['inferencemodels', 'inferenceroutes'].map((name) => `crd/${name}.sightline.dev`);
    await kubectl('apply', '--server-side', '-k', CRDS);
    await kubectl('wait', '--for=condition=Established', ...crds);
    await kubectl('apply', '--server-side', '-f', join(EXAMPLES, 'accepted.yaml'));
  });
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  async function kubectl(...args: string[]): Promise<string> {
    const { ok, text } = await server.kubectl(args);
    if (!ok) throw new Error(text);
    return text;
  }

  const collection = (resource: typeof INFERENCE_MODELS) => ({ resource, namespace: 'default' });
  const model = (name: string) => ({ ...collection(INFERENCE_MODELS), name });

  test('the API server fills in defaults', async () => {
    const starter = await client.get<InferenceModel>(model('starter-faces'), NEVER);
    expect(starter?.spec).toEqual({
      task: 'Face',
      source: { starter: {} },
      replicas: 1,
      rollout: { type: 'Surge' },
      standby: 'Store',
      suspend: false,
    });
    const face = { ...collection(INFERENCE_ROUTES), name: 'face' };
    expect((await client.get<InferenceRoute>(face, NEVER))?.spec).toEqual({
      defaultModel: 'starter-faces',
      reembed: 'Before',
      keepPreviousSeconds: 600,
      drainTimeoutSeconds: 120,
      progressDeadlineSeconds: 1800,
    });
  });

  test('the documented commands rotate the key of inference', async () => {
    const page = await readFile('docs/kubernetes/secrets.md', 'utf8');
    const [, commands] = /^## The key of inference$[^]*?^```$([^]*?)^```$/m.exec(page)!;
    await kubectl(
      'create',
      'secret',
      'generic',
      'sightline-inference',
      '--from-literal=inference-key=old',
    );
    const condition = {
      type: 'CredentialsCurrent',
      status: 'True',
      reason: 'CurrentKeyInUse',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const status = JSON.stringify({ status: { conditions: [condition] } });
    const patch = ['imodel/buffalo-l', '--subresource=status', '--type=merge', '-p', status];
    await kubectl('patch', ...patch);
    const said = await server.shell(commands!.replaceAll('-n photos', '-n default'));
    expect(said).toEqual({ ok: true, text: expect.stringContaining('condition met') });
    const path = '-o=jsonpath={.data.inference-key}';
    const key = await kubectl('get', 'secret', 'sightline-inference', path);
    expect(Buffer.from(key, 'base64').toString()).toMatch(/^[0-9a-f]{64}\n$/);
  });

  test.each(REFUSED)('%s with %s is refused', async (...[kind, , spec, message]) => {
    const name = kind === 'InferenceRoute' ? 'face' : 'refused';
    const object = { apiVersion: 'sightline.dev/v1alpha1', kind, metadata: { name }, spec };
    const input = JSON.stringify(object);
    const args = ['create', '--dry-run=server', '--validate=strict', '-f', '-'];
    const { ok, text } = await server.kubectl(args, input);
    expect({ ok, text }).toEqual({ ok: false, text: expect.stringContaining(message) });
  });

  test.each([
    ['pose', { model: 'a' }, 'metadata.name is the task'],
    ['object', { model: 'a', reembed: 'After' }, 'reembed is about faces'],
  ])('a route %s to %j is refused', async (name, spec, message) => {
    const [ref, kind] = [{ ...collection(INFERENCE_ROUTES), name }, 'InferenceRoute'];
    const object = { apiVersion: 'sightline.dev/v1alpha1', kind, metadata: { name }, spec };
    const options = { fieldManager: 'test', force: true, dryRun: true };
    await expect(client.apply(ref, { object, ...options }, NEVER)).rejects.toThrow(message);
  });

  test.each(CHANGES)('a change to %j: %s', async (spec, message) => {
    const options = { patch: { spec }, fieldManager: 'test', dryRun: true };
    const changed = client.patch(model('buffalo-l'), options, NEVER);
    if (message === null) await changed;
    else await expect(changed).rejects.toThrow(message);
  });

  test('the schema of the status admits every pack whose manifest is valid', async () => {
    const [longest, sha256] = ['ж'.repeat(100), 'a'.repeat(64)];
    const manifest = parseManifest(
      JSON.stringify({
        name: longest,
        task: 'face',
        version: longest,
        license: longest,
        commercial_use: true,
        provides: Array.from({ length: 3 }, () => ['age', 'gender', 'pose', 'landmarks']).flat(),
        components: FACE_COMPONENTS.map((component) => ({ ...component, sha256 })),
      }),
    );
    const described = describePack({ manifest, revision: sha256, directory: '' });
    const pack = packOf({ model: described, manifest: JSON.stringify(manifest), sha256 });
    const [apiVersion, kind, name] = ['sightline.dev/v1alpha1', 'InferenceModel', 'buffalo-l'];
    const object = { apiVersion, kind, metadata: { name }, status: { pack } };
    const options = { object, fieldManager: 'sightline-operator', subresource: 'status' } as const;
    const { status } = await client.apply<InferenceModel>(model(name), options, NEVER);
    expect(status?.pack).toEqual(pack);
  });

  test('operator and worker write their own fields and conditions of the same status', async () => {
    const ref = { ...collection(INFERENCE_ROUTES), name: 'face' };
    const write = (fieldManager: string, type: string, more: object) => {
      const status = { conditions: [conditionOf(type)], ...more };
      const [apiVersion, kind] = ['sightline.dev/v1alpha1', 'InferenceRoute'];
      const object = { apiVersion, kind, metadata: { name: 'face' }, status };
      const options = { object, fieldManager, subresource: 'status' } as const;
      return client.apply<InferenceRoute>(ref, options, NEVER);
    };
    const since = '2026-01-02T03:04:05Z';
    await write('sightline-operator', 'Available', { phase: 'Available' });
    const active = { revision: 'a'.repeat(64), since };
    const { status } = await write('sightline-worker', 'Activated', { active });
    expect(status).toMatchObject({ phase: 'Available', active });
    expect(status?.conditions?.map(({ type }) => type).toSorted()).toEqual([
      'Activated',
      'Available',
    ]);
  });

  test('kubectl scales a model, and lists models and routes by category', async () => {
    await kubectl('scale', 'imodel', 'buffalo-l', '--replicas=4');
    expect((await client.get<InferenceModel>(model('buffalo-l'), NEVER))?.spec.replicas).toBe(4);
    const listed = await kubectl('get', 'sightline');
    expect(listed).toMatch(/NAME +TASK +STATE +READY +PODS +REVISION +AGE/);
    expect(listed).toMatch(/NAME +DESIRED +ACTIVE +PHASE +READY +SINCE +AGE/);
  });
});

function conditionOf(type: string) {
  const lastTransitionTime = '2026-01-02T03:04:05Z';
  return { type, status: 'True', reason: 'Tested', message: '', lastTransitionTime };
}
