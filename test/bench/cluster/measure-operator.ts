import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '@sightline/dev-platform/free-port';
import { listensAt } from '@sightline/dev-platform/answers';
import { KubeClient } from '@sightline/kube/kube-client';
import {
  INFERENCE_MODELS,
  type InferenceModel,
} from '@sightline/contracts/cluster/inference-model';
import { JOBS } from '@sightline/operator/children/kinds';
import { sampleInstallation } from '@sightline/operator/children/testing/sample-installation';
import { podTemplates, RENDERINGS } from '../../support/charts/rendered.ts';
import { ApiServer } from '../../support/cluster/api-server.ts';
import { Controllers, type PodOwner } from '../../support/cluster/controllers.ts';
import { KillableProcess } from '../../support/servers/killable-process.ts';
import type { Bench, Measured } from '../bench.ts';
import { mebibytes } from '../cells.ts';
import { markdownTable } from '../markdown-table.ts';
import { MemoryWatch } from '../memory-watch.ts';
import { type Metrics, readMetrics } from '../metrics.ts';

const NEVER = new AbortController().signal;
const REVISION = 'a'.repeat(64);
const CRDS = 'crds';

/**
 * Runs two operators as real processes with an API server of their own. No controllers run there, so the models'
 * Deployments and Jobs have no pods.
 */
export async function measureOperator(options: Bench): Promise<Measured> {
  const { models, namespaces, madeBy } = options;
  await using server = await ApiServer.start();
  await using client = new KubeClient(await server.connect());
  await addModels(server, options);

  await using first = await OperatorProcess.prepare(server);
  const began = performance.now();
  await first.start();
  await using memory = new MemoryWatch(first.metricsUrl);
  const isFetching = ({ status }: InferenceModel) => status?.state === 'Fetching';
  await untilAll(client, models, isFetching);
  const firstPassSeconds = (performance.now() - began) / 1000;
  await endFetches(client);
  await untilAll(client, models, ({ status }) => status?.state === 'Verified');
  await settled(first);

  // The second operator changes nothing, because the first one has already created all children.
  await using second = await OperatorProcess.prepare(server);
  await second.start();
  const asked = async () => (await requestsOf(first)) + (await requestsOf(second));
  const before = await asked();
  await sleep(options.rest * 1000);
  const requestsPerMinute = ((await asked()) - before) / (options.rest / 60);
  const peak = memory.takePeak();
  await memory[Symbol.asyncDispose]();
  await first[Symbol.asyncDispose]();
  const { count, p95 } = await unchangedOf(second, models);
  const text = `## The operator

${madeBy}

Two replicas as processes on an API server of their own, which share the cores with it. There are ${models} InferenceModels in
${namespaces} namespaces, without controllers that make pods; the benchmark ends their fetches as a cluster's controllers do. Node has the flags that the chart gives it in a pod of 384 MiB.

${markdownTable(
  ['measure', 'here', 'aim'],
  [
    [
      'first pass, until each has a status and its Job, s',
      firstPassSeconds.toFixed(1),
      'at most 60',
    ],
    ['memory of the replica that leads, MiB', mebibytes(peak), 'at most 200'],
    [`reconciling that changes nothing, p95 of ${count}, ms`, p95.toFixed(1), 'at most 20'],
    [
      'requests to the API server at rest, of both replicas, a minute',
      requestsPerMinute.toFixed(0),
      'at most 40',
    ],
  ],
)}`;
  return { text };
}

async function addModels(server: ApiServer, { models, namespaces }: Bench): Promise<void> {
  const kubectl = async (args: readonly string[], input = '') => {
    const { ok, text } = await server.kubectl(args, input);
    if (!ok) throw new Error(text);
  };
  await kubectl(['apply', '--server-side', '-k', CRDS]);
  await kubectl(['wait', '--for=condition=Established', 'crd', '--all']);
  await kubectl(['create', 'namespace', 'sightline']);
  const items = Array.from({ length: namespaces }, (_, at) => {
    const namespace = `tenant-${at}`;
    const share =
      Math.ceil((models * (at + 1)) / namespaces) - Math.ceil((models * at) / namespaces);
    return objectsOf(namespace, share);
  }).flat();
  // The namespaces have to exist before the objects in them.
  await kubectl(['create', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}

function objectsOf(namespace: string, models: number): readonly object[] {
  const place = (name: string) => ({ name, namespace });
  const installation = sampleInstallation();
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    ...['default', installation.inferenceServiceAccount, installation.fetchServiceAccount].map(
      (name) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: place(name) }),
    ),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: place('sightline-installation'),
      data: installation,
    },
    ...Array.from({ length: models }, (_, at) => ({
      apiVersion: 'sightline.dev/v1alpha1',
      kind: 'InferenceModel',
      metadata: place(`model-${at}`),
      spec: { task: 'Face', source: { starter: {} } },
    })),
  ];
}

/** Ends the fetch Jobs, as the cluster's Job controller does. */
async function endFetches(client: KubeClient): Promise<void> {
  const controllers = new Controllers(client);
  const { items } = await client.list<PodOwner>({ resource: JOBS }, NEVER);
  const pack = { name: 'starter-faces', version: '1', revision: REVISION, sizeBytes: 7 };
  const waiting = [...items];
  const work = async () => {
    for (let job = waiting.pop(); job !== undefined; job = waiting.pop()) {
      await controllers.endFetch(job, JSON.stringify({ pack }));
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

/** Resolves once the operator has reconciled nothing for three seconds. */
async function settled(operator: OperatorProcess): Promise<void> {
  const done = async () => (await operator.metrics()).sum('controller_runtime_reconcile_total');
  for (let [before, now] = [-1, await done()]; before !== now;) {
    await sleep(3_000);
    [before, now] = [now, await done()];
  }
}

async function requestsOf(operator: OperatorProcess): Promise<number> {
  return (await operator.metrics()).sum('rest_client_requests_total');
}

/** The number of reconciles of a new leader's first pass, and the p95 of their durations in ms. */
async function unchangedOf(operator: OperatorProcess, models: number) {
  const name = 'controller_runtime_reconcile_time_seconds';
  while ((await operator.metrics()).sum(`${name}_count`) < models) await sleep(500);
  await settled(operator);
  const metrics = await operator.metrics();
  return { count: metrics.sum(`${name}_count`), p95: 1000 * metrics.quantile(name, 0.95) };
}

async function untilAll(
  client: KubeClient,
  count: number,
  holds: (model: InferenceModel) => boolean,
): Promise<void> {
  for (;;) {
    const { items } = await client.list<InferenceModel>({ resource: INFERENCE_MODELS }, NEVER);
    if (items.filter(holds).length === count) return;
    await sleep(500);
  }
}

/**
 * The flags that the chart passes to Node. A heap limit in percent becomes one in MiB, computed from the
 * pod's limit.
 */
function flagsOfPod(): readonly string[] {
  const rendering = RENDERINGS.find(({ name }) => name === 'operator')!;
  const { pod } = podTemplates(rendering).find(({ manifest: { kind } }) => kind === 'Deployment')!;
  const { args = [], resources } = pod.containers[0]!;
  const limit = Number.parseInt(resources.limits.memory, 10);
  return args
    .filter((arg) => arg.startsWith('--'))
    .map((flag) =>
      flag.replace(
        /-percentage=(\d+)$/,
        (_, share) => `=${Math.floor((limit * Number(share)) / 100)}`,
      ),
    );
}

/** The operator, run with the flags of its image. */
class OperatorProcess extends KillableProcess {
  readonly #port: number;

  private constructor(connection: string, port: number) {
    super({
      name: 'operator',
      command: process.execPath,
      args: [...flagsOfPod(), 'test/bench/cluster/operator-process.ts'],
      environment: {
        PATH: process.env.PATH,
        CONNECTION: connection,
        SIGHTLINE_OPS_PORT: String(port),
        SIGHTLINE_HOST: '127.0.0.1',
        SIGHTLINE_LOG_LEVEL: 'warn',
      },
      isReady: () => listensAt(port),
    });
    this.#port = port;
  }

  static async prepare(server: ApiServer): Promise<OperatorProcess> {
    const [port] = await freePorts(1);
    return new OperatorProcess(JSON.stringify(await server.connect()), port!);
  }

  get metricsUrl(): string {
    return `http://127.0.0.1:${this.#port}/metrics`;
  }

  metrics(): Promise<Metrics> {
    return readMetrics(this.metricsUrl);
  }
}
