import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { nameOf } from '../plan/hosts.ts';
import { planHost } from '../plan/plan-host.ts';
import type { HostSnapshot } from '../plan/snapshot.ts';
import {
  revision,
  sampleHost,
  sampleModel,
  sampleRoute,
  verifiedModel,
} from '../plan/testing/samples.ts';
import { buildFetchChildren, buildHostChildren, type Children } from './build-children.ts';
import { parseInstallation } from './installation.ts';
import type { Intent } from './intent.ts';
import type { Variable } from './pod-template.ts';
import { sampleInstallation } from './testing/sample-installation.ts';

const installation = parseInstallation(sampleInstallation());

function childrenOf(snapshot: HostSnapshot): Children {
  return buildHostChildren(snapshot.host, { plan: planHost(snapshot), installation });
}

function fetchChildrenOf(model: InferenceModel, host = model): Children {
  const plan = planHost(sampleHost(model)).fetches.get(nameOf(model))!;
  return buildFetchChildren(model, { host, plan, installation });
}

/** The objects by kind, in the order in which they are applied. */
function byKind(intents: readonly Intent[]): Record<string, unknown> {
  return Object.fromEntries(intents.map(({ object }) => [object.kind, object]));
}

const CPU = verifiedModel('a', { packName: 'starter' });
const GPU = verifiedModel('big', {
  replicas: 2,
  rollout: { type: 'Replace' },
  autoscaling: {
    minReplicas: 2,
    maxReplicas: 6,
    cpuUtilization: 80,
    queueWait: '200m',
    scaleDownStabilizationSeconds: 300,
  },
  runtime: {
    device: 'GPU',
    gpu: { resourceName: 'nvidia.com/mig-1g.5gb', count: 1 },
    queueLimit: 32,
    resources: { requests: { cpu: 4, memory: '4Gi' }, limits: { memory: '8Gi' } },
    modelSpace: '8Gi',
    runtimeClassName: 'nvidia',
    priorityClassName: 'high',
    nodeSelector: { 'nvidia.com/gpu.product': 'NVIDIA-L4' },
    tolerations: [{ key: 'spot', operator: 'Exists', effect: 'NoSchedule' }],
    spreadOver: 'topology.kubernetes.io/zone',
    podLabels: { team: 'vision', 'sightline.dev/role': 'operator' },
    podAnnotations: { 'example.org/note': 'x', 'sightline.dev/serving': 'y' },
  },
});
const FETCHED = sampleModel('far', {
  revision: revision('far'),
  source: {
    s3: {
      endpoint: 'https://s3.example.org',
      bucket: 'models',
      key: 'far.zip',
      region: 'eu-1',
      virtualHosts: false,
    },
    sha256: revision('archive'),
    credentialsSecret: { name: 'model-sources' },
    caBundle: { name: 'authorities', key: 'root.pem' },
  },
});
const CLAIMED = sampleModel('near', { source: { claim: { name: 'models', path: 'yolo/v11' } } });

const routed = (host: InferenceModel) =>
  sampleHost(host, { routes: [sampleRoute('face', { model: nameOf(host) })] });

test.each([
  ['cpu-host', () => childrenOf(routed(CPU))],
  ['gpu-host', () => childrenOf(routed(GPU))],
  ['fetch-from-s3', () => fetchChildrenOf(FETCHED)],
  ['fetch-from-claim', () => fetchChildrenOf(CLAIMED)],
])('the children of %s', async (name, build) => {
  const golden = join(import.meta.dirname, 'golden', `${name}.json`);
  const built = byKind(build().intents);
  // Set the variable to rewrite the golden file after an intended change, and review the difference in git.
  if (process.env.SIGHTLINE_TEST_GOLDEN === 'write') {
    await writeFile(golden, `${JSON.stringify(built, null, 2)}\n`);
  }
  expect(built).toEqual(JSON.parse(await readFile(golden, 'utf8')));
});

test('a fetch Job runs where the pods run, as far as spec.fetch does not say otherwise', () => {
  const jobOf = (model: InferenceModel, host?: InferenceModel) => {
    const { Job: job } = byKind(fetchChildrenOf(model, host).intents) as { Job: FetchJob };
    const { metadata, spec } = job.spec.template;
    const { nodeSelector, tolerations, priorityClassName, containers } = spec;
    const { resources } = containers[0]!;
    const { labels } = job.metadata;
    return { ...metadata, ofJob: labels, nodeSelector, tolerations, priorityClassName, resources };
  };
  const { nodeSelector, tolerations = [], priorityClassName } = GPU.spec.runtime!;
  const ofPods = {
    nodeSelector,
    tolerations: [...tolerations, { key: 'nvidia.com/gpu', operator: 'Exists' }],
    priorityClassName,
    labels: { team: 'vision', 'sightline.dev/role': 'fetch' },
    ofJob: { team: 'vision' },
    annotations: { 'example.org/note': 'x' },
    resources: {
      requests: { cpu: '250m', memory: '256Mi', 'ephemeral-storage': '4Gi' },
      limits: { memory: '2Gi' },
    },
  };
  const own = sampleModel('own', { runtime: GPU.spec.runtime! });
  const ofOwnSpace = { requests: { 'ephemeral-storage': '8Gi' } };
  expect(jobOf(own)).toMatchObject({ ...ofPods, resources: ofOwnSpace });
  const guest = sampleModel('guest', { podsOf: 'big' });
  expect(jobOf(guest, GPU)).toMatchObject(ofPods);
  const fetch = {
    nodeSelector: { disk: 'ssd' },
    tolerations: [],
    podLabels: { 'kueue.x-k8s.io/queue-name': 'fetches' },
    resources: {
      limits: { cpu: 1, memory: '1Gi', 'ephemeral-storage': '500Mi' },
      requests: { memory: '512Mi' },
    },
  };
  const moved = jobOf({ ...own, spec: { ...own.spec, fetch } });
  expect(moved).toMatchObject({
    ...ofPods,
    nodeSelector: { disk: 'ssd' },
    tolerations: undefined,
    labels: { 'kueue.x-k8s.io/queue-name': 'fetches', 'sightline.dev/role': 'fetch' },
    ofJob: { 'kueue.x-k8s.io/queue-name': 'fetches' },
    resources: {
      limits: { cpu: '1', memory: '1Gi', 'ephemeral-storage': '500Mi' },
      requests: { cpu: '1', memory: '512Mi', 'ephemeral-storage': '500Mi' },
    },
  });
  expect(moved.labels).not.toHaveProperty('team');
  const large = { resources: { requests: { memory: '4Gi' } } };
  expect(jobOf({ ...own, spec: { ...own.spec, fetch: large } }).resources).toEqual({
    requests: { cpu: '250m', memory: '4Gi', 'ephemeral-storage': '8Gi' },
  });
});

interface FetchJob {
  readonly metadata: { readonly labels: object };
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: object; readonly annotations?: object };
      readonly spec: {
        readonly nodeSelector?: object;
        readonly tolerations?: object;
        readonly priorityClassName?: string;
        readonly containers: readonly { readonly resources: object }[];
      };
    };
  };
}

test('a host that is no longer requested has a Deployment without pods, and no autoscaler', () => {
  const children = childrenOf(
    sampleHost(CPU, {
      deployment: { replicas: 1, refusal: null, rolloutMessage: null, stuck: null },
    }),
  );
  expect(byKind(children.intents)).toMatchObject({
    ConfigMap: {},
    NetworkPolicy: {},
    Deployment: { spec: { replicas: 0 } },
  });
  expect(children.obsolete.map(({ resource }) => resource.kind)).toEqual([
    'PodDisruptionBudget',
    'HorizontalPodAutoscaler',
  ]);
  expect(childrenOf(sampleHost(CPU)).intents).toEqual([]);
});

test('a change of models changes only the ConfigMap with the serving file', () => {
  const guests = [verifiedModel('b', { podsOf: 'a' })];
  const before = { ...routed(CPU), guests };
  const after = { ...before, routes: [sampleRoute('face', { model: 'b' })] };
  const [one, two] = [byKind(childrenOf(before).intents), byKind(childrenOf(after).intents)];
  const changed = Object.keys(one).filter(
    (kind) => JSON.stringify(one[kind]) !== JSON.stringify(two[kind]),
  );
  expect(changed).toEqual(['ConfigMap']);
});

test('without network policies, existing ones are deleted', () => {
  const open = parseInstallation({ ...sampleInstallation(), networkPolicies: 'false' });
  const plan = planHost(routed(CPU));
  const { intents, obsolete } = buildHostChildren(CPU, { plan, installation: open });
  expect(byKind(intents)).not.toHaveProperty('NetworkPolicy');
  expect(obsolete.map(({ resource }) => resource.kind)).toContain('NetworkPolicy');
});

test.each([
  [{ image: '' }, 'image is missing'],
  [{ modelsReadSecret: '' }, 'modelsReadSecret is missing'],
  [{ s3Endpoint: 'minio:9000' }, 's3Endpoint is no http or https URL'],
  [{ s3Endpoint: 'http://' }, 's3Endpoint is no http or https URL'],
  [{ callers: '{' }, 'callers is no list in JSON'],
  [{ securityContext: '[]' }, 'securityContext is neither an object in JSON nor null'],
  [{ imagePullSecrets: '{}' }, 'imagePullSecrets is no list in JSON'],
])('an installation with %j is not valid: %s', (change, sentence) => {
  expect(() => parseInstallation({ ...sampleInstallation(), ...change })).toThrow(
    `The ConfigMap sightline-installation cannot be used: ${sentence}.`,
  );
});

test('the installation decides the security contexts, and null omits them', () => {
  const contextsOf = (contexts: object) => {
    const installation = parseInstallation({ ...sampleInstallation(), ...contexts });
    const { intents } = buildHostChildren(CPU, { plan: planHost(routed(CPU)), installation });
    const { spec } = (byKind(intents).Deployment as { spec: { template: { spec: PodSpec } } }).spec
      .template;
    return [spec.securityContext, spec.containers[0]!.securityContext];
  };
  expect(contextsOf({})).toMatchObject([{ runAsUser: 10001 }, { readOnlyRootFilesystem: true }]);
  const own = { podSecurityContext: '{"runAsNonRoot":true}', securityContext: 'null' };
  expect(contextsOf(own)).toEqual([{ runAsNonRoot: true }, undefined]);
  expect(contextsOf({ podSecurityContext: 'null' })[0]).toBeUndefined();
});

test('with a web identity, pods mount a token instead of keys, unless the cluster gives them one', () => {
  const others = { ...sampleInstallation(), modelsReadSecret: '', modelsWriteSecret: '' };
  const podsWith = (data: object) => {
    const installation = parseInstallation({ ...others, webIdentity: 'true', ...data });
    const plan = planHost(routed(CPU));
    const fetch = planHost(sampleHost(FETCHED)).fetches.get('far')!;
    const { intents } = buildHostChildren(CPU, { plan, installation });
    const { Deployment: deployment } = byKind(intents) as { Deployment: WithPods };
    const options = { host: FETCHED, plan: fetch, installation };
    const { Job: job } = byKind(buildFetchChildren(FETCHED, options).intents) as { Job: WithPods };
    return [deployment, job].map(({ spec }) => {
      const { serviceAccountName, containers, volumes } = spec.template.spec;
      const env = containers[0]!.env.filter(({ name }) => /ROLE|TOKEN|KEY_FILE|STS_/.test(name));
      const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      const keys = volumes.filter(({ name }) => name === 'store-keys');
      return { serviceAccountName, variables, keys };
    });
  };
  const stsEndpoint = 'https://sts.example.org';
  const roles = { modelsReadRole: 'reader', modelsWriteRole: 'writer' };
  const audience = 'sts.amazonaws.com';
  const serviceAccountToken = { audience, expirationSeconds: 3600, path: 'token' };
  const keys = [{ name: 'store-keys', projected: { sources: [{ serviceAccountToken }] } }];
  const token = {
    SIGHTLINE_S3_WEB_IDENTITY_TOKEN_FILE: '/etc/sightline/store/token',
    SIGHTLINE_S3_STS_ENDPOINT: stsEndpoint,
  };
  const inferenceKey = { SIGHTLINE_INFERENCE_KEY_FILE: expect.any(String) };
  expect(podsWith({ webIdentityAudience: audience, stsEndpoint, ...roles })).toEqual([
    {
      serviceAccountName: 'photos-inference',
      variables: { ...token, ...inferenceKey, SIGHTLINE_S3_ROLE_ARN: 'reader' },
      keys,
    },
    {
      serviceAccountName: 'photos-fetch',
      variables: { ...token, SIGHTLINE_S3_ROLE_ARN: 'writer' },
      keys,
    },
  ]);
  expect(podsWith({})).toMatchObject([
    { variables: inferenceKey, keys: [] },
    { variables: {}, keys: [] },
  ]);
});

interface WithPods {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly serviceAccountName: string;
        readonly containers: readonly { readonly env: readonly Variable[] }[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
  };
}

interface PodSpec {
  readonly securityContext?: object;
  readonly containers: readonly { readonly securityContext?: object }[];
}

test('omitted values of an installation have defaults', () => {
  const { image, s3Endpoint, modelsReadSecret, inferenceKeySecret } = sampleInstallation();
  const least = { image, s3Endpoint, modelsReadSecret, inferenceKeySecret };
  expect(parseInstallation(least)).toMatchObject({
    gpuImage: image,
    imagePullPolicy: 'IfNotPresent',
    imagePullSecrets: [],
    inference: { serviceAccount: '', secret: modelsReadSecret, role: '' },
    fetch: { serviceAccount: '', secret: modelsReadSecret, role: '' },
    webIdentity: null,
    networkPolicies: null,
    trustedCertificates: null,
  });
  expect(() => parseInstallation(undefined)).toThrow('The namespace has no ConfigMap');
});
