import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadAll } from 'js-yaml';
import { createSecrets } from '@sightline/cli/quickstart/create-secrets';
import { quickstartSecrets } from '@sightline/cli/quickstart/quickstart-secrets';
import { KubeClient } from '@sightline/kube/kube-client';
import type { KubeConnection } from '@sightline/kube/kube-connection';
import type { KubeObject, Resource } from '@sightline/kube/kube-object';
import {
  INFERENCE_MODELS,
  type InferenceModel,
} from '@sightline/contracts/cluster/inference-model';
import {
  INFERENCE_ROUTES,
  type InferenceRoute,
} from '@sightline/contracts/cluster/inference-route';
import { applyCrds } from '@sightline/operator/crds/apply-crds';
import { type Manifest, podTemplates, RENDERINGS } from '../support/charts/rendered.ts';
import { ApiServer } from '../support/cluster/api-server.ts';
import { describeWithApiServer } from '../support/cluster/describe-with-api-server.ts';

const NEVER = new AbortController().signal;
const OPERATOR = 'charts/sightline-operator';
const PLATFORM = 'charts/sightline';
/** Arguments for the production values. Hooks are disabled: they would wait for Jobs, whose pods no node runs here. */
const PRODUCTION = [
  PLATFORM,
  '--namespace=photos',
  `--values=${PLATFORM}/values-production.yaml`,
  '--no-hooks',
  // People scale the model in these tests.
  '--set=models.buffalo-l.replicas=null',
  // The API server has no CRDs of the Prometheus operator.
  '--set=podMonitor.enabled=false,monitoring.prometheusRule.enabled=false',
];
const IN_PHOTOS = /namespace: ['"]?photos['"]?/g;
const RENDERED = resolve('test/charts/rendered');
const resource = (group: string, kind: string, plural: string): Resource => ({
  group,
  version: 'v1',
  kind,
  plural,
});
const SECRETS = resource('', 'Secret', 'secrets');
const PODS = resource('', 'Pod', 'pods');
const CONFIG_MAPS = resource('', 'ConfigMap', 'configmaps');
const ACCOUNTS = resource('', 'ServiceAccount', 'serviceaccounts');
const JOBS = resource('batch', 'Job', 'jobs');
const DEPLOYMENTS = resource('apps', 'Deployment', 'deployments');
interface Rule {
  readonly ports: readonly { readonly port: number }[];
  readonly to?: readonly object[];
}
/** The members of objects that hold names. */
const NAMES = ['name', 'namespace', 'serviceAccountName', 'serviceName', 'secretName'];
const DEFINITIONS = resource(
  'apiextensions.k8s.io',
  'CustomResourceDefinition',
  'customresourcedefinitions',
);

describeWithApiServer('the charts', () => {
  const resources = new AsyncDisposableStack();
  let server: ApiServer;
  let connection: KubeConnection;
  let admin: KubeClient;
  beforeAll(async () => {
    server = resources.use(await ApiServer.start());
    connection = await server.connect();
    admin = resources.use(new KubeClient(connection));
    await kubectl('create', 'namespace', 'photos');
    const restricted = 'pod-security.kubernetes.io/enforce=restricted';
    await kubectl('label', 'namespace', 'photos', restricted);
    await kubectl('create', 'priorityclass', 'photos', '--value=1');
    for (const other of ['films', 'sightline-system']) await kubectl('create', 'namespace', other);
    await kubectl('create', 'serviceaccount', 'sl-migrate', '--namespace=films');
    await helm('install', 'op', OPERATOR, '--namespace=sightline', '--create-namespace');
    await helm('install', 'sl', ...PRODUCTION);
  });
  afterAll(() => resources.disposeAsync());

  async function kubectl(...args: string[]): Promise<string> {
    const { ok, text } = await server.kubectl(args);
    if (!ok) throw new Error(text);
    return text;
  }

  async function helm(...args: string[]): Promise<string> {
    const { ok, text } = await server.helm(args);
    if (!ok) throw new Error(text);
    return text;
  }

  /** A client with the token of a service account. */
  async function clientOf(account: string, namespace: string): Promise<KubeClient> {
    const token = (await kubectl('create', 'token', account, `--namespace=${namespace}`)).trim();
    const { server: address, ca } = connection;
    return resources.use(
      new KubeClient({ server: address, ca, token: () => Promise.resolve(token) }),
    );
  }

  const model = { resource: INFERENCE_MODELS, namespace: 'photos', name: 'buffalo-l' };
  const route = { resource: INFERENCE_ROUTES, namespace: 'photos', name: 'face' };
  const routeWith = (more: object) => ({
    apiVersion: 'sightline.dev/v1alpha1',
    kind: 'InferenceRoute',
    metadata: { name: 'face' },
    ...more,
  });

  test.each([OPERATOR, PLATFORM])('helm lint accepts %s', async (chart) => {
    const values = chart === PLATFORM ? [`--values=${PLATFORM}/values-quickstart.yaml`] : [];
    expect(await helm('lint', '--strict', chart, ...values)).toContain('0 chart(s) failed');
  });

  test.each(readdirSync(RENDERED))(
    'the schemas of the server accept all fields of %s',
    async (name) => {
      const page = await readFile(join(RENDERED, name), 'utf8');
      const objects = page
        .split(/^---$/m)
        .filter((text) => !/^apiVersion: monitoring\.coreos\.com/m.test(text));
      const flags = ['--server-side', '--force-conflicts', '--dry-run=server', '--validate=strict'];
      // Applies the objects in a namespace without a release. In the namespace photos they would be merged with the
      // objects of the installed release.
      const text = objects.join('---\n').replaceAll(IN_PHOTOS, 'namespace: films');
      const result = await server.kubectl(['apply', ...flags, '-f', '-'], text);
      expect(result.ok ? '' : result.text).toBe('');
    },
  );

  test('a missing address is reported with the name of the value', async () => {
    const { ok, text } = await server.helm(['template', 'sl', PLATFORM]);
    expect({ ok, text }).toEqual({
      ok: false,
      text: expect.stringMatching(/(s3\.endpoint|database\.\w+|inference\.\w+) is missing: the /),
    });
  });

  test.each([
    ['quickstart.postgres', 'database.existingSecret=db'],
    ['quickstart.s3', 's3.endpoint=https://s3.example.org'],
    ['quickstart.qdrant', 'qdrant.url=https://qdrant.example.org'],
    ['quickstart.kafka', 'kafka.brokers={kafka:9092}'],
  ])('%s conflicts with %s', async (brings, value) => {
    const quickstart = `--values=${PLATFORM}/values-quickstart.yaml`;
    const { ok, text } = await server.helm([
      'template',
      'sl',
      PLATFORM,
      quickstart,
      '--set',
      value,
    ]);
    const sentence = `${value.split('=', 1)[0]} is set, and the quickstart has this store: set ${brings}.enabled to false`;
    expect({ ok, text }).toEqual({ ok: false, text: expect.stringContaining(sentence) });
  });

  test.each([
    ['quickstart.s3.enabled=false,s3.endpoint=https://s3.example.org', 's3.existingSecret'],
    ['quickstart.postgres.enabled=false,database.ownerSecret=owner', 'database.existingSecret'],
    ['quickstart.postgres.enabled=false,database.existingSecret=db', 'database.ownerSecret'],
  ])(
    'an external store needs keys of its own, beside those of the quickstart: %s',
    async (values, missing) => {
      const quickstart = [PLATFORM, `--values=${PLATFORM}/values-quickstart.yaml`];
      const result = await server.helm(['template', 'sl', ...quickstart, '--set', values]);
      const text = expect.stringContaining(`${missing} is missing: the Secret`);
      expect(result).toEqual({ ok: false, text });
    },
  );

  test.each([
    [PLATFORM, 'api.autoscaling.minReplicas=20', 'minReplicas exceeds api.autoscaling.maxReplicas'],
    [
      PLATFORM,
      'global.image.pullSecrets=null,global.imagePullSecrets={a}',
      'in global.image.pullSecrets, too',
    ],
    [OPERATOR, 'global.imagePullSecrets={a}', 'in global.image.pullSecrets, too'],
  ])('%s refuses %s with a message', async (chart, values, sentence) => {
    const more = chart === PLATFORM ? [`--values=${PLATFORM}/values-production.yaml`] : [];
    const result = await server.helm(['template', 'sl', chart, ...more, '--set', values]);
    expect(result).toEqual({ ok: false, text: expect.stringContaining(sentence) });
  });

  const keyless = [
    's3.webIdentity.enabled=true,s3.existingSecret=,modelStore.readSecret=,modelStore.writeSecret=',
    's3.webIdentity.audience=sts.example.org,s3.webIdentity.roleArn=arn:aws:iam::1:role/photos',
    'modelStore.readRoleArn=reader,modelStore.writeRoleArn=writer',
  ].join(',');

  test('the keys of inference pods must be named, and Helm warns if they read all images', async () => {
    const install = ['install', 'other', ...PRODUCTION, '--dry-run=client'];
    const warning = 'WARNING: inference pods';
    expect(await helm(...install)).not.toContain(warning);
    expect(await helm(...install, '--set=modelStore.readSecret=sightline-s3')).toContain(warning);
    expect(await helm(...install, `--set=${keyless}`)).not.toContain(warning);
    const equal = `${keyless},modelStore.readRoleArn=arn:aws:iam::1:role/photos`;
    expect(await helm(...install, `--set=${equal}`)).toContain(
      `${warning} decode hostile files, and their S3 role`,
    );
    const { ok, text } = await server.helm([...install, '--set=modelStore.readSecret=']);
    expect({ ok, text }).toEqual({ ok, text: expect.stringContaining('readSecret is missing') });
  });

  test.each([
    [PLATFORM, 'api.extraEnv[0].name=SIGHTLINE_HOST', 'api.extraEnv has the name SIGHTLINE_HOST'],
    [PLATFORM, 'worker.extraEnv[0].name=SIGHTLINE_SPOOL_MAX', 'worker.extraEnv has the name'],
    [
      PLATFORM,
      'relay.extraEnv[0].name=A,relay.extraEnv[1].name=A',
      'relay.extraEnv has the name A',
    ],
    [PLATFORM, 'migrate.extraVolumes[0].name=tmp', 'migrate.extraVolumes has the name tmp'],
    [PLATFORM, 'migrate.extraVolumes[0].name=owner', 'migrate.extraVolumes has the name owner'],
    [
      PLATFORM,
      'api.extraVolumeMounts[0].mountPath=/tmp',
      'api.extraVolumeMounts has the mountPath /tmp',
    ],
    [
      OPERATOR,
      'extraEnv[0].name=SIGHTLINE_LEASE_NAME',
      'extraEnv has the name SIGHTLINE_LEASE_NAME',
    ],
    [OPERATOR, 'extraVolumes[0].name=tmp', 'extraVolumes has the name tmp'],
  ])('%s refuses %s, which the chart sets itself', async (chart, values, sentence) => {
    const more = chart === PLATFORM ? [`--values=${PLATFORM}/values-production.yaml`] : [];
    const result = await server.helm(['template', 'sl', chart, ...more, '--set', values]);
    expect(result).toEqual({ ok: false, text: expect.stringContaining(sentence) });
  });

  test('a volume may have a name that the chart gives only to volumes of other pods', async () => {
    const values = ['--set', 'worker.extraVolumes[0].name=owner,worker.extraVolumes[1].name=data'];
    const { ok } = await server.helm(['template', 'sl', ...PRODUCTION, ...values]);
    expect(ok).toBe(true);
  });

  test('with a web identity, pods that read or write the S3 mount tokens instead of keys', async () => {
    const text = await helm('template', 'sl', ...PRODUCTION, '--set', keyless);
    const objects = (loadAll(text.replace(/^level=.*$/gm, '')) as (Manifest | null)[]).filter(
      (each) => each !== null,
    );
    const pods = podTemplates({ name: 'keyless', text, manifests: objects });
    const withToken = pods.filter(({ pod }) => JSON.stringify(pod).includes('serviceAccountToken'));
    expect(withToken.map(({ manifest }) => manifest.metadata.name)).toEqual([
      'sl-api',
      'sl-worker',
    ]);
    for (const { pod } of withToken) {
      expect(pod.containers[0]!.env).toEqual(
        expect.arrayContaining([
          { name: 'SIGHTLINE_S3_WEB_IDENTITY_TOKEN_FILE', value: '/etc/sightline/s3-token' },
          { name: 'SIGHTLINE_S3_ROLE_ARN', value: 'arn:aws:iam::1:role/photos' },
        ]),
      );
    }
    expect(text).not.toMatch(/s3-access-key|modelsReadSecret/);
    const data = objects.find(({ metadata }) => metadata.name === 'sightline-installation');
    expect(data).toMatchObject({
      data: {
        webIdentity: 'true',
        webIdentityAudience: 'sts.example.org',
        modelsReadRole: 'reader',
        modelsWriteRole: 'writer',
        inferenceServiceAccount: 'sl-inference',
        fetchServiceAccount: 'sl-fetch',
      },
    });
    const untouched = await helm(
      'template',
      'sl',
      ...PRODUCTION,
      '--set',
      `${keyless},s3.webIdentity.audience=`,
    );
    expect(untouched).not.toMatch(/serviceAccountToken:|WEB_IDENTITY_TOKEN_FILE/);
  });

  test('each process has a service account, with annotations of its own or by another name', async () => {
    const accounts = (text: string) =>
      (loadAll(text.replace(/^level=.*$/gm, '')) as (Manifest | null)[])
        .filter((each) => each?.kind === 'ServiceAccount')
        .map((each) => each!.metadata);
    const own = [
      'worker.serviceAccount.create=false,worker.serviceAccount.name=ours',
      'inference.serviceAccount.annotations.role=reader,fetch.serviceAccount.name=fetcher',
    ].join(',');
    const text = await helm('template', 'sl', ...PRODUCTION, '--set', own);
    const named = ['api', 'inference', 'projector', 'dispatcher', 'relay', 'migrate'];
    expect(
      accounts(text)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual([...named.map((name) => `sl-${name}`), 'fetcher'].toSorted());
    const { annotations } = accounts(text).find(({ name }) => name === 'sl-inference')!;
    expect(annotations).toEqual({ role: 'reader' });
    expect(text).toMatch(/serviceAccountName: "ours"/);
    expect(text).toMatch(/kind: ServiceAccount, name: "ours"/);
    expect(text).toContain('fetchServiceAccount: "fetcher"');
  });

  test.each([
    ['s3.webIdentity.enabled=true', 'remove s3.existingSecret'],
    [`${keyless},modelStore.readRoleArn=`, 'modelStore.readRoleArn is missing: the role of'],
    [`${keyless},modelStore.writeRoleArn=`, 'modelStore.writeRoleArn is missing: the role of'],
    ['downloads.proxy.url=http://proxy.example.org', 'networkPolicy.proxy.to is missing'],
    ['api.serviceAccount.create=false', 'name an account in api.serviceAccount.name'],
    ['fetch.serviceAccount.create=false', 'name an account in fetch.serviceAccount.name'],
    [
      'api.serviceAccount.name=ours,worker.serviceAccount.name=ours',
      'worker.serviceAccount names the account ours, which the release already makes for api',
    ],
    ['relay.serviceAccount.name=sl-api', 'the release already makes for api'],
    ['api.serviceAccount.name=sl-uninstall', 'the release already makes for the hook'],
  ])('%s alone is refused', async (values, sentence) => {
    const result = await server.helm(['template', 'sl', ...PRODUCTION, '--set', values]);
    expect(result).toEqual({ ok: false, text: expect.stringContaining(sentence) });
  });

  test('processes know the size of their temporary volume', async () => {
    const sizesWith = async (values: string) => {
      const text = await helm('template', 'sl', ...PRODUCTION, '--set', values);
      return [...text.matchAll(/SIGHTLINE_TMP_MAX, value: "(.*)"/g)].map(([, value]) => value);
    };
    // The API has a claim in these values.
    expect(await sizesWith('worker.replicas=2')).toEqual(['32GiB']);
    expect(await sizesWith('worker.tmpVolume.emptyDir.sizeLimit=500M')).toEqual(['500MB']);
    const bytes = 'worker.tmpVolume.emptyDir.sizeLimit=4294967296';
    expect(await sizesWith(bytes)).toEqual(['4294967296']);
    const half = ['--set', 'worker.tmpVolume.emptyDir.sizeLimit=1.5Gi'];
    const { ok, text } = await server.helm(['template', 'sl', ...PRODUCTION, ...half]);
    expect({ ok, text }).toEqual({ ok: false, text: expect.stringContaining('a whole number') });
  });

  test('several processes may share an account that one of them creates', async () => {
    const shared =
      'api.serviceAccount.name=ours,worker.serviceAccount.name=ours,worker.serviceAccount.create=false';
    const text = await helm('template', 'sl', ...PRODUCTION, '--set', shared);
    expect(text.match(/^kind: ServiceAccount\nmetadata:\n {2}name: "ours"$/gm)).toHaveLength(1);
    expect(text.match(/serviceAccountName: "ours"/g)).toHaveLength(2);
  });

  /** The egress rules that the operator applies to the pods of models. */
  async function egressOf(
    values: string,
  ): Promise<Record<'inferenceEgress' | 'fetchEgress', Rule[]>> {
    const text = await helm('template', 'sl', ...PRODUCTION, '--set', values);
    const rules = (name: string) =>
      JSON.parse(
        JSON.parse(new RegExp(`^ {2}${name}: (.*)$`, 'm').exec(text)![1]!) as string,
      ) as Rule[];
    return { inferenceEgress: rules('inferenceEgress'), fetchEgress: rules('fetchEgress') };
  }

  test('the Jobs that fetch models may reach the proxy, and nothing else on its port', async () => {
    const proxy = 'downloads.proxy.url=http://proxy.example.org';
    const peers = 'networkPolicy.proxy.to[0].ipBlock.cidr=10.20.9.1/32';
    const { inferenceEgress, fetchEgress } = await egressOf(`${proxy},${peers}`);
    expect(fetchEgress).toContainEqual({
      ports: [{ port: 80, protocol: 'TCP' }],
      to: [{ ipBlock: { cidr: '10.20.9.1/32' } }],
    });
    const open = [...inferenceEgress, ...fetchEgress].filter(({ to = [] }) => to.length === 0);
    expect(open).toEqual([]);
  });

  test.each([
    ['networkPolicy.s3.ports={9000}', [9000, 8443]],
    ['networkPolicy.s3.ports={8443}', [8443]],
    ['networkPolicy.s3.ports=null', [443, 8443]],
  ])('pods may reach the token service beside the S3 with %s', async (values, ports) => {
    const sts = 's3.webIdentity.stsEndpoint=https://sts.example.org:8443';
    const { inferenceEgress } = await egressOf(`${keyless},${sts},${values}`);
    const [, s3] = inferenceEgress;
    expect(s3?.ports.map(({ port }) => port)).toEqual(ports);
  });

  test('null omits user ids and whole security contexts', async () => {
    const ids = ['runAsUser', 'runAsGroup', 'fsGroup'];
    const nulls = (of: string) => ids.map((id) => `${of}podSecurityContext.${id}=null`);
    const quickstart = [PLATFORM, `--values=${PLATFORM}/values-quickstart.yaml`];
    const free = [...nulls(''), ...nulls('operator.')].join(',');
    const text = await helm('template', 'sl', ...quickstart, '--set', free);
    expect(text).not.toMatch(/10001|runAsUser|runAsGroup|fsGroup:/);
    expect(text).toContain('runAsNonRoot');
    const both = (of: string) => `${of}podSecurityContext=null,${of}securityContext=null`;
    const none = `${both('')},${both('operator.')}`;
    const bare = await helm('template', 'sl', ...quickstart, '--set', none);
    expect(bare).not.toMatch(/^ +securityContext:(?! ["']null)|runAsNonRoot/m);
  });

  test.each(['1234', 'true', 'null'])('a release may have the name %s', async (release) => {
    const objects = await helm('template', release, ...PRODUCTION);
    const text = objects.replace(/^level=.*$/gm, '').replaceAll(IN_PHOTOS, 'namespace: films');
    const flags = ['--server-side', '--force-conflicts', '--dry-run=server', '--validate=strict'];
    const result = await server.kubectl(['apply', ...flags, '-f', '-'], text);
    expect(result.ok ? '' : result.text).toBe('');
  });

  test.each([
    ['quickstart', [PLATFORM, `--values=${PLATFORM}/values-quickstart.yaml`]],
    ['production', PRODUCTION],
    [
      'the operator',
      [
        OPERATOR,
        '--set=podMonitor.enabled=true,monitoring.prometheusRule.enabled=true',
        '--set-json=networkPolicy.metricsFrom=[{"namespaceSelector":{}}]',
      ],
    ],
  ])('names that YAML takes for other values are text: %s', async (_, chart) => {
    for (const [release, namespace] of [
      ['true', '1234'],
      ['null', 'true'],
    ] as const) {
      const names = [`--namespace=${namespace}`, `--set-string=fullnameOverride=${release}`];
      const text = await helm('template', release, ...chart, ...names, '--is-upgrade');
      const objects = loadAll(text.replace(/^level=.*$/gm, ''));
      expect(objects.flatMap(namesOf).filter((name) => typeof name !== 'string')).toEqual([]);
    }
  });

  test('a release without routes has no pre-delete hook', async () => {
    const values = [`--values=${PLATFORM}/values-quickstart.yaml`, '--set=routes.face=null'];
    const hookOf = async (...more: readonly string[]) =>
      (await helm('template', 'sl', PLATFORM, ...values, ...more)).includes('pre-delete');
    expect([await hookOf(), await hookOf('--set=routes.object=null')]).toEqual([true, false]);
  });

  test('a namespace with the restricted Pod Security level admits the pods of every process and store', async () => {
    const pods = RENDERINGS.flatMap(podTemplates).map(({ place, pod }, index) => ({
      place,
      object: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `pod-${index}`, namespace: 'photos' },
        // The service accounts of the rendered releases do not exist here, so all pods get an existing one. The
        // Secrets that they mount need not exist.
        spec: { ...pod, serviceAccountName: 'sl-api' },
      },
    }));
    // A cluster may assign any user id, as OpenShift does.
    const assigned = pods.map(({ place, object }) => {
      const ids = { runAsUser: 1_000_650_000, runAsGroup: 0, fsGroup: 1_000_650_000 };
      const { spec, metadata } = object;
      const securityContext = { ...spec.securityContext, ...ids };
      const name = `${metadata.name}-assigned`;
      return {
        place,
        object: { ...object, metadata: { ...metadata, name }, spec: { ...spec, securityContext } },
      };
    });
    expect(pods.length).toBeGreaterThan(20);
    const collection = { resource: PODS, namespace: 'photos' };
    for (const { object } of [...pods, ...assigned]) {
      // A StatefulSet creates these volumes from its claim templates.
      const claimed = object.spec.containers.flatMap(({ volumeMounts }) => volumeMounts);
      const known = object.spec.volumes ?? [];
      const data = claimed
        .filter(({ name }) => !known.some((each) => each.name === name))
        .map(({ name }) => ({ name, emptyDir: {} }));
      const spec = { ...object.spec, volumes: [...known, ...data] };
      const options = { object: { ...object, spec }, fieldManager: 'test', dryRun: true };
      await admin.create(collection, options, NEVER);
    }
  });

  test('the operator may create children, but not read Secrets', async () => {
    const operator = await clientOf('op-operator', 'sightline');
    const { items } = await operator.list({ resource: INFERENCE_MODELS }, NEVER);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['buffalo-l']);
    const write = { fieldManager: 'sightline-operator', force: true, dryRun: true };
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'imodel-a' } };
    const child = { resource: CONFIG_MAPS, namespace: 'photos', name: 'imodel-a' };
    await operator.apply(child, { ...write, object: configMap }, NEVER);
    const status = { state: 'Pending' };
    const object = {
      apiVersion: 'sightline.dev/v1alpha1',
      kind: 'InferenceModel',
      metadata: { name: 'buffalo-l' },
    };
    const options = { ...write, object: { ...object, status }, subresource: 'status' } as const;
    await operator.apply(model, options, NEVER);
    const spec = { ...write, object: { ...object, spec: { suspend: true } } };
    const secrets = { resource: SECRETS, namespace: 'photos' };
    await expect(operator.apply(model, spec, NEVER)).rejects.toThrow(/cannot patch/);
    await expect(operator.list(secrets, NEVER)).rejects.toThrow(/cannot list resource "secrets"/);
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
    const pods = { resource: PODS, namespace: 'photos' };
    await expect(
      operator.create(pods, { object: pod, fieldManager: 'test' }, NEVER),
    ).rejects.toThrow(/cannot create resource "pods"/);
  });

  test('the API may write only the spec of a route, and the worker only its status', async () => {
    const [api, worker] = [
      await clientOf('sl-api', 'photos'),
      await clientOf('sl-worker', 'photos'),
    ];
    const request = { object: routeWith({ spec: { model: 'buffalo-l' } }), dryRun: true };
    const active = { revision: 'a'.repeat(64), since: '2026-01-02T03:04:05Z' };
    const outcome = { object: routeWith({ status: { active } }), dryRun: true };
    const status = 'status' as const;
    await api.apply(route, { ...request, fieldManager: 'sightline-api' }, NEVER);
    const worked = { ...outcome, fieldManager: 'sightline-worker', subresource: status };
    await worker.apply(route, worked, NEVER);
    await expect(
      worker.apply(route, { ...request, fieldManager: 'sightline-worker' }, NEVER),
    ).rejects.toThrow(/cannot patch/);
    await expect(
      api.apply(route, { ...outcome, fieldManager: 'sightline-api', subresource: status }, NEVER),
    ).rejects.toThrow(/cannot patch/);
    for (const client of [api, worker]) {
      for (const refused of [SECRETS, DEPLOYMENTS]) {
        const collection = { resource: refused, namespace: 'photos' };
        await expect(client.list(collection, NEVER)).rejects.toThrow(/cannot list/);
      }
      const elsewhere = { resource: INFERENCE_ROUTES, namespace: 'default' };
      await expect(client.list(elsewhere, NEVER)).rejects.toThrow(/cannot list/);
    }
  });

  test('the edit role of a namespace includes its models', async () => {
    // No controller runs here that would aggregate the roles, so the test reads the parts.
    const roles = await kubectl('get', 'clusterrole', '-o', 'json', '-l', AGGREGATED);
    const { items } = JSON.parse(roles) as {
      readonly items: readonly { readonly rules: unknown }[];
    };
    expect(items.map(({ rules }) => rules)).toEqual([
      [
        expect.objectContaining({ resources: ['inferencemodels', 'inferenceroutes'] }),
        expect.objectContaining({ resources: ['inferencemodels/scale'] }),
      ],
    ]);
  });

  test('the Job of an upgrade may update the CRDs of this product, and nothing else', async () => {
    const upgraded = helm('upgrade', 'op', OPERATOR, '--namespace=sightline', '--timeout=30s');
    const hook = { resource: JOBS, namespace: 'sightline', name: 'op-operator-crds' };
    await until(() => admin.get(hook, NEVER));
    const job = await clientOf('op-operator-crds', 'sightline');
    expect(await applyCrds(job, resolve('crds'), NEVER)).toEqual([
      'inferencemodels.sightline.dev',
      'inferenceroutes.sightline.dev',
    ]);
    const other = { resource: DEFINITIONS, name: 'others.example.org' };
    const object: KubeObject = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: other.name },
    };
    await expect(
      job.apply(other, { object, fieldManager: 'test', force: true }, NEVER),
    ).rejects.toThrow(/cannot patch/);
    const status = { fieldManager: 'test', subresource: 'status', patch: SUCCEEDED } as const;
    await admin.patch(hook, status, NEVER);
    await upgraded;
    // Helm deletes the objects of a finished hook.
    const account = { resource: ACCOUNTS, namespace: 'sightline', name: 'op-operator-crds' };
    expect(await admin.get(account, NEVER)).toBeNull();
  });

  /** Applies the objects of an upgrade's hooks, except the Job, which nothing would run here. */
  async function applyHooks(
    release: string,
    chart: string,
    args: readonly string[],
  ): Promise<void> {
    const rendered = await helm('template', release, chart, '--is-upgrade', ...args);
    const documents = rendered
      .replace(/^level=.*$/gm, '')
      .split(/^---$/m)
      .filter((text) => !/^kind: Job$/m.test(text));
    const { ok, text } = await server.kubectl(['apply', '-f', '-'], documents.join('---\n'));
    if (!ok) throw new Error(text);
  }

  test('the deletion policy protects a model that a route needs', async () => {
    const status = { routes: ['face'] };
    const write = { patch: { status }, fieldManager: 'test', subresource: 'status' } as const;
    await admin.patch(model, write, NEVER);
    const refusal = await until(async () => {
      const { ok, text } = await server.kubectl(DELETION);
      return ok ? null : text;
    });
    expect(refusal).toContain('the route face needs it: set another');
    for (const user of CONTROLLER_USERS) {
      await kubectl(...DELETION, `--as=${user}`, '--as-group=system:masters');
    }
    await kubectl(
      'annotate',
      'imodel',
      'buffalo-l',
      'sightline.dev/delete-anyway=',
      '-n',
      'photos',
    );
    await kubectl(...DELETION);
  });

  test('the policies protect an active route, and the pods of a model that a route needs', async () => {
    const writeTo = (ref: typeof model, status: object) =>
      admin.patch(ref, { patch: { status }, fieldManager: 'test', subresource: 'status' }, NEVER);
    const annotate = (object: string, value: string) =>
      kubectl('annotate', object, `sightline.dev/delete-anyway${value}`, '-n', 'photos');
    const dryRun = async (...args: readonly string[]) =>
      (await server.kubectl([...args, '-n', 'photos', '--dry-run=server'])).text;
    const patch = (spec: object) => [
      'patch',
      'imodel/buffalo-l',
      '--type=merge',
      '-p',
      JSON.stringify({ spec }),
    ];
    const scale = ['scale', 'imodel/buffalo-l', '--replicas=0'];
    const routeDeletion = ['delete', 'iroute/face'];
    await annotate('imodel/buffalo-l', '-');
    await writeTo(model, { routes: ['face'] });
    await writeTo(route, { active: { revision: 'a'.repeat(64), since: BEGAN } });

    const refused = 'requests of the route face would fail';
    await until(async () => (await dryRun(...scale)).includes(refused) || null);
    await until(async () => (await dryRun(...patch({ replicas: 0 }))).includes(refused) || null);
    await until(
      async () => (await dryRun(...routeDeletion)).includes('its model is active') || null,
    );
    expect(await dryRun('scale', 'imodel/buffalo-l', '--replicas=1')).toContain('scaled');
    const warned = await until(async () => {
      const text = await dryRun(...patch({ suspend: true }));
      return text.includes('Warning') ? text : null;
    });
    expect(warned).toMatch(/ patched\n.*Warning: .*requests of the route face fail/s);
    await kubectl(
      ...routeDeletion,
      '-n',
      'photos',
      '--dry-run=server',
      `--as=${CONTROLLER_USERS[0]}`,
      '--as-group=system:masters',
    );

    for (const object of ['imodel/buffalo-l', 'iroute/face']) await annotate(object, '=');
    await until(async () => (await dryRun(...scale)).includes('scaled') || null);
    expect(await dryRun(...patch({ replicas: 0 }))).toContain('patched');
    expect(await dryRun(...routeDeletion)).toContain('deleted');
  });

  test('an upgrade keeps scaled replicas and the requested model, and runs a new migration', async () => {
    await kubectl('scale', 'deployment', 'sl-api', '--replicas=7', '-n', 'photos');
    await kubectl('scale', 'imodel', 'buffalo-l', '--replicas=4', '-n', 'photos');
    const request = { object: routeWith({ spec: { model: 'buffalo-l' } }) };
    await admin.apply(route, { ...request, fieldManager: 'sightline-api' }, NEVER);
    const before = await migrations();
    const tag = ['--set=global.image.tag=9.9.9', '--set=routes.face.reembed=After'];
    await helm('upgrade', 'sl', ...PRODUCTION, ...tag);
    const scaled = await kubectl('get', 'deploy', 'sl-api', '-n', 'photos', `-o=jsonpath=${SCALE}`);
    expect(scaled).toBe('7 registry.example.org/sightline:9.9.9');
    expect((await admin.get<InferenceModel>(model, NEVER))!.spec.replicas).toBe(4);
    const { spec } = (await admin.get<InferenceRoute>(route, NEVER))!;
    expect(spec).toMatchObject({ model: 'buffalo-l', reembed: 'After' });
    const after = await migrations();
    expect([before.length, after.length]).toEqual([1, 1]);
    expect(after).not.toEqual(before);
  });

  test('turning autoscaling off and on keeps the running count', async () => {
    const replicas = () =>
      kubectl('get', 'deploy', 'sl-api', '-n', 'photos', '-o=jsonpath={.spec.replicas}');
    await helm('upgrade', 'sl', ...PRODUCTION, '--set=api.autoscaling.enabled=false');
    expect(await replicas()).toBe('7');
    await helm('upgrade', 'sl', ...PRODUCTION);
    expect(await replicas()).toBe('7');
  });

  async function migrations(): Promise<string[]> {
    const jobs = await kubectl('get', 'jobs', '-n', 'photos', '-o=name');
    return jobs.trim().split('\n');
  }

  test('an upgrade with equal values changes no object', async () => {
    await helm('upgrade', 'sl', ...PRODUCTION);
    const before = await kubectl('get', ...KINDS, '-n', 'photos', `-o=jsonpath=${GENERATIONS}`);
    await helm('upgrade', 'sl', ...PRODUCTION);
    expect(await kubectl('get', ...KINDS, '-n', 'photos', `-o=jsonpath=${GENERATIONS}`)).toBe(
      before,
    );
    expect(before).toContain('sl-worker');
  });

  test('the quickstart has stores, and an operator for only its namespace', async () => {
    await kubectl('create', 'namespace', 'trying');
    const quickstart = ['sl', PLATFORM, '--namespace=trying', '--no-hooks'];
    const own = ['--set=operator.watchNamespaces={trying}', '--skip-crds'];
    const notes = await helm(
      'install',
      ...quickstart,
      `--values=${PLATFORM}/values-quickstart.yaml`,
      ...own,
    );
    expect(notes).toContain('THIS IS FOR EVALUATION');
    const operator = await clientOf('sl-operator', 'trying');
    const models = (namespace: string) =>
      operator.list({ resource: INFERENCE_MODELS, namespace }, NEVER);
    const { items } = await models('trying');
    expect(items.map(({ metadata }) => metadata.name)).toEqual([
      'starter-faces',
      'starter-objects',
    ]);
    await expect(models('photos')).rejects.toThrow(/cannot list/);
    const mode = '{.spec.template.spec.volumes[?(@.name=="files")].projected.defaultMode}';
    const modes = await kubectl('get', 'deploy', 'sl-api', '-n', 'trying', `-o=jsonpath=${mode}`);
    expect(Number(modes)).toBe(0o440);
    const stores = await kubectl('get', 'statefulsets', '-n', 'trying', '-o=name');
    expect(stores.match(/sl-\w+/g)).toEqual(['sl-kafka', 'sl-postgres', 'sl-qdrant', 'sl-s3']);
    await helm('uninstall', 'sl', '--namespace=trying', '--no-hooks');
  });

  test('the Job of a quickstart creates passwords once, and may not read them', async () => {
    await applyHooks('sl', PLATFORM, [
      '--namespace=trying',
      `--values=${PLATFORM}/values-quickstart.yaml`,
      '--show-only=templates/quickstart/secrets-job.yaml',
    ]);
    const job = await clientOf('sl-secrets', 'trying');
    const secrets = () =>
      quickstartSecrets({
        name: 'sl-quickstart',
        namespace: 'trying',
        labels: {},
        database: 'sl-postgres:5432',
        random: randomBytes,
      });
    const names = ['sl-quickstart', 'sl-quickstart-owner'];
    expect(await createSecrets(job, secrets(), NEVER)).toEqual(names);
    const collection = { resource: SECRETS, namespace: 'trying' };
    const made = await admin.list(collection, NEVER);
    expect(await createSecrets(job, secrets(), NEVER)).toEqual([]);
    expect((await admin.list(collection, NEVER)).items).toEqual(made.items);
    await expect(job.list(collection, NEVER)).rejects.toThrow(/cannot list/);
    await expect(job.get({ ...collection, name: names[0]! }, NEVER)).rejects.toThrow(/cannot get/);
  });

  test('an uninstallation deletes all objects except the CRDs', async () => {
    await helm('uninstall', 'sl', '--namespace=photos', '--no-hooks');
    await helm('uninstall', 'op', '--namespace=sightline', '--no-hooks');
    const left = await kubectl('get', ...KINDS, '-n', 'photos', '-o=name');
    expect(left.trim()).toBe('');
    expect(await kubectl('get', 'crd', '-o=name')).toContain('inferencemodels.sightline.dev');
  });
});

/** The status that the Job controller would write, which does not run here. */
const [BEGAN, ENDED] = ['2026-01-02T03:04:05Z', '2026-01-02T03:04:06Z'];
const SUCCEEDED = {
  status: {
    startTime: BEGAN,
    completionTime: ENDED,
    succeeded: 1,
    conditions: ['SuccessCriteriaMet', 'Complete'].map((type) => ({
      type,
      status: 'True',
      lastProbeTime: ENDED,
      lastTransitionTime: ENDED,
    })),
  },
};
const AGGREGATED = 'rbac.authorization.k8s.io/aggregate-to-edit=true,app.kubernetes.io/instance=op';
/** Users of the cluster's controllers: depending on the cluster, each has its own account or all share one. */
const CONTROLLER_USERS = [
  'system:serviceaccount:kube-system:namespace-controller',
  'system:serviceaccount:kube-system:generic-garbage-collector',
  'system:kube-controller-manager',
];
const DELETION = ['delete', 'imodel', 'buffalo-l', '-n', 'photos', '--dry-run=server'];
const SCALE = '{.spec.replicas} {.spec.template.spec.containers[0].image}';
const KINDS = ['deploy,job,svc,netpol,pdb,hpa,role,rolebinding,imodel,iroute'];
const GENERATIONS =
  '{range .items[*]}{.kind}/{.metadata.name} {.metadata.generation} {.metadata.resourceVersion}\n{end}';

/** Polls until a read has a result: an admission policy, for example, takes effect some seconds after its creation. */
async function until<T>(read: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await read();
    if (found !== null) return found;
    await new Promise((resolved) => setTimeout(resolved, 200));
  }
}

/** The names in an object, whatever type YAML gave them. */
function namesOf(node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
    NAMES.includes(key) && (typeof value !== 'object' || value === null) ? [value] : namesOf(value),
  );
}
