import { setTimeout as sleep } from 'node:timers/promises';
import { Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { deleteRoutes } from '@sightline/cli/commands/routes-delete';
import { KubeClient } from '@sightline/kube/kube-client';
import type { KubeObject, Resource } from '@sightline/kube/kube-object';
import { INFERENCE_ROUTES } from '@sightline/contracts/cluster/inference-route';
import { CHILD_KINDS, CONFIG_MAPS, DEPLOYMENTS, PODS } from '@sightline/operator/children/kinds';
import { createOperatorRole } from '@sightline/operator/operator-role';
import { createLogger } from '@sightline/platform/logging/logger';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { systemClock } from '@sightline/platform/resilience/clock';
import { ApiServer } from '../support/cluster/api-server.ts';
import { describeWithApiServer } from '../support/cluster/describe-with-api-server.ts';

const NEVER = new AbortController().signal;
const OPERATOR = 'charts/sightline-operator';
const PLATFORM = 'charts/sightline';
const PHOTOS = 'photos';
const SYSTEM = 'system';
const RELEASE = { namespace: PHOTOS, release: 'sl' };
/** Disables hooks: they would wait for Jobs, whose pods no node runs here. */
const WITHOUT_HOOKS = ['--no-hooks'];
const CRDS = ['crd/inferencemodels.sightline.dev', 'crd/inferenceroutes.sightline.dev'];
const MADE_BY_OPERATOR = 'app.kubernetes.io/managed-by=sightline-operator';

describeWithApiServer('uninstalling in any order', () => {
  let server: ApiServer;
  let client: KubeClient;
  let operator: Awaited<ReturnType<typeof startOperator>>;

  beforeAll(async () => {
    server = await ApiServer.start({ hasControllers: true });
    client = new KubeClient(await server.connect());
    await kubectl('apply', '--server-side', '-f', `${OPERATOR}/crds`);
    await kubectl('wait', '--for=condition=Established', ...CRDS);
    await waitForGarbageCollector();
  });
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  beforeEach(install);
  afterEach(() => operator[Symbol.asyncDispose]());

  async function kubectl(...args: string[]): Promise<string> {
    const { ok, text } = await server.kubectl(args);
    if (!ok) throw new Error(text);
    return text;
  }

  async function helm(...args: string[]): Promise<void> {
    const { ok, text } = await server.helm([...args, ...WITHOUT_HOOKS]);
    if (!ok) throw new Error(text);
  }

  /** Waits until the garbage collector knows the custom resources. It discovers new kinds only every 30 s. */
  async function waitForGarbageCollector(): Promise<void> {
    const namespace = 'default';
    const create = <T extends KubeObject>(resource: Resource, object: object) =>
      client.create<T>({ resource, namespace }, { object, fieldManager: 'test' }, NEVER);
    const owner = { apiVersion: 'sightline.dev/v1alpha1', kind: 'InferenceRoute' };
    const name = 'object';
    const { metadata } = await create(INFERENCE_ROUTES, {
      ...owner,
      metadata: { name, namespace },
      spec: { model: 'none' },
    });
    const ownerReferences = [{ ...owner, name, uid: metadata.uid! }];
    const child = { name: 'owned', namespace, ownerReferences };
    await create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: child });
    const route = { resource: INFERENCE_ROUTES, namespace, name };
    await client.delete(route, { propagationPolicy: 'Background' }, NEVER);
    await until(
      () => client.get({ resource: CONFIG_MAPS, namespace, name: child.name }, NEVER),
      (found) => found === null,
    );
  }

  async function startOperator() {
    const own = new KubeClient(await server.connect());
    const logged: string[] = [];
    const destination = new Writable({
      write(line: Buffer, _encoding, done) {
        logged.push(line.toString());
        done();
      },
    });
    const role = createOperatorRole({
      client: own,
      clock: systemClock,
      logger: createLogger({ level: 'warn', destination }),
      registry: createMetricsRegistry(),
      poll: () => Promise.resolve(null),
      now: () => Date.now(),
      namespace: SYSTEM,
      leaseName: 'sightline-operator',
      leaseOwner: null,
      identity: `operator-${performance.now()}`,
      namespaces: null,
      requireDigests: false,
      fail: (error) => void logged.push(String(error)),
    });
    await role.start(NEVER);
    return {
      logged,
      async [Symbol.asyncDispose]() {
        await role[Symbol.asyncDispose]();
        await own[Symbol.asyncDispose]();
      },
    };
  }

  /** Installs both charts, and waits until the operator has created all children of a model. */
  async function install(): Promise<void> {
    await kubectl('create', 'namespace', PHOTOS);
    await helm('install', 'op', OPERATOR, `--namespace=${SYSTEM}`, '--create-namespace');
    operator = await startOperator();
    await installPlatform();
  }

  async function installPlatform(): Promise<void> {
    const values = `--values=${PLATFORM}/values-production.yaml`;
    const unmonitored = '--set=podMonitor.enabled=false,monitoring.prometheusRule.enabled=false';
    await helm('install', 'sl', PLATFORM, `--namespace=${PHOTOS}`, values, unmonitored);
    await endFetch();
    await until(
      () => childrenOf(DEPLOYMENTS),
      (found) => found.length === 1,
    );
  }

  /** Writes the status of a fetch pod that has ended successfully. */
  async function endFetch(): Promise<void> {
    const labelSelector = 'batch.kubernetes.io/job-name=imodel-buffalo-l-fetch';
    const [pod] = await until(
      async () =>
        (await client.list<KubeObject>({ resource: PODS, namespace: PHOTOS, labelSelector }, NEVER))
          .items,
      (found) => found.length === 1,
    );
    const pack = { name: 'buffalo-l', version: '1', revision: 'a'.repeat(64), sizeBytes: 7 };
    const at = new Date().toISOString();
    const message = JSON.stringify({ pack });
    const terminated = { exitCode: 0, message, startedAt: at, finishedAt: at };
    const image = { image: 'i', imageID: 'i', restartCount: 0, ready: false };
    const containerStatuses = [{ name: 'fetch', ...image, state: { terminated } }];
    const patch = { status: { phase: 'Succeeded', containerStatuses } };
    const ref = { resource: PODS, namespace: PHOTOS, name: pod!.metadata.name };
    await client.patch(ref, { patch, fieldManager: 'test', subresource: 'status' }, NEVER);
  }

  async function childrenOf(resource: Resource): Promise<readonly KubeObject[]> {
    const selection = { resource, namespace: PHOTOS, labelSelector: MADE_BY_OPERATOR };
    return (await client.list<KubeObject>(selection, NEVER)).items;
  }

  const children = async () => (await Promise.all(CHILD_KINDS.map(childrenOf))).flat();

  const uids = async () => (await children()).map(({ metadata }) => metadata.uid);

  async function until<T>(read: () => Promise<T>, holds: (found: T) => boolean): Promise<T> {
    for (;;) {
      const found = await read();
      if (holds(found)) return found;
      await sleep(100);
    }
  }

  const isEmpty = (found: readonly unknown[]) => found.length === 0;
  const uninstall = (name: string, namespace: string) =>
    helm('uninstall', name, `--namespace=${namespace}`);

  /** Uninstalls the platform, after deleting the routes as its hook would. */
  async function uninstallPlatform(routes: readonly string[]): Promise<void> {
    const active = { revision: 'a'.repeat(64), since: new Date().toISOString() };
    const patch = { status: { active } };
    for (const name of routes) {
      const route = { resource: INFERENCE_ROUTES, namespace: PHOTOS, name };
      await client.patch(route, { patch, fieldManager: 'test', subresource: 'status' }, NEVER);
    }
    expect(await deleteRoutes(client, RELEASE, NEVER)).toEqual(routes);
    await uninstall('sl', PHOTOS);
  }

  async function deleteNamespace(): Promise<void> {
    await kubectl('delete', 'namespace', PHOTOS, '--timeout=60s');
  }

  test('the namespace first: the operator logs no warning', async () => {
    await deleteNamespace();
    await kubectl('get', ...CRDS);
    await uninstall('op', SYSTEM);
    expect(operator.logged).toEqual([]);
  });

  test('the operator first: its children remain until the models are deleted', async () => {
    await operator[Symbol.asyncDispose]();
    const made = await uids();
    await uninstall('op', SYSTEM);
    expect(await uids()).toEqual(made);
    await uninstallPlatform(['face']);
    await until(children, isEmpty);
    await kubectl('get', ...CRDS);
    await deleteNamespace();
  });

  test('the releases first: their models are deleted with all children', async () => {
    await uninstallPlatform(['face']);
    await until(children, isEmpty);
    expect(operator.logged).toEqual([]);
    await uninstall('op', SYSTEM);
    await kubectl('get', ...CRDS);
    await deleteNamespace();
  });

  test('the CRDs first: their objects are deleted, and the operator continues once the CRDs exist again', async () => {
    await kubectl('delete', ...CRDS, '--timeout=60s');
    await until(children, isEmpty);
    await uninstallPlatform([]);
    await kubectl('apply', '--server-side', '-f', `${OPERATOR}/crds`);
    await installPlatform();
    const messages = operator.logged.map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect([...new Set(messages)]).toEqual(['a watch failed and will be retried']);
    await kubectl('delete', ...CRDS, '--timeout=60s');
    await uninstall('op', SYSTEM);
    await deleteNamespace();
  });
});
