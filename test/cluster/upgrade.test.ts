import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
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
import { ApiServer } from '../support/cluster/api-server.ts';
import { describeWithApiServer } from '../support/cluster/describe-with-api-server.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';

const NEVER = new AbortController().signal;
/** The chart `sightline` of the last release, packaged by Helm; before the first release, an earlier version of the chart. */
const LAST = resolve('test/cluster/last-release/sightline-0.1.0.tgz');
const OPERATOR = 'charts/sightline-operator';
const PLATFORM = 'charts/sightline';
/**
 * Hooks are disabled: they would wait for Jobs, whose pods no node runs here. The API server has no CRDs of the Prometheus
 * operator.
 */
const PRODUCTION = [
  '--namespace=photos',
  '--no-hooks',
  '--set=podMonitor.enabled=false',
  '--set=monitoring.prometheusRule.enabled=false',
];
const TRYING = [
  '--namespace=trying',
  '--no-hooks',
  '--skip-crds',
  '--set=operator.watchNamespaces={trying}',
];

const CRDS = `${OPERATOR}/crds`;
/** The API's request for a model. */
const REQUEST = {
  apiVersion: 'sightline.dev/v1alpha1',
  kind: 'InferenceRoute',
  metadata: { name: 'face' },
  spec: { model: 'buffalo-l' },
};
const OTHERS = { model: 'buffalo-l', replicas: 4, api: '7' };

describeWithApiServer('an upgrade from the last release', () => {
  const resources = new AsyncDisposableStack();
  let server: ApiServer;
  let admin: KubeClient;
  /** The folder with the chart of the last release and its values files. */
  let last: string;

  beforeAll(async () => {
    const folder = resources.use(await temporaryFolder());
    await promisify(execFile)('tar', ['-xzf', LAST, '-C', folder.path]);
    last = join(folder.path, 'sightline');
    server = resources.use(await ApiServer.start());
    admin = resources.use(new KubeClient(await server.connect()));
    for (const name of ['photos', 'trying']) await kubectl('create', 'namespace', name);
    const operator = join(last, 'charts/sightline-operator');
    await helm('install', 'op', operator, '--namespace=system', '--create-namespace');
    await helm('install', 'sl', last, ...PRODUCTION, valuesOf(last, 'production'));
    await kubectl('scale', 'deployment', 'sl-api', '--replicas=7', '-n', 'photos');
    await kubectl('scale', 'imodel', 'buffalo-l', '--replicas=4', '-n', 'photos');
    await admin.apply(route, { object: REQUEST, fieldManager: 'sightline-api' }, NEVER);
    expect(await writtenByOthers()).toEqual(OTHERS);
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

  const model = { resource: INFERENCE_MODELS, namespace: 'photos', name: 'buffalo-l' };
  const route = { resource: INFERENCE_ROUTES, namespace: 'photos', name: 'face' };
  const valuesOf = (chart: string, name: string) =>
    `--values=${join(chart, `values-${name}.yaml`)}`;

  /** The fields that clients other than Helm have written: the requested model and the numbers of pods. */
  async function writtenByOthers() {
    const request = await admin.get<InferenceRoute>(route, NEVER);
    const scaled = await admin.get<InferenceModel>(model, NEVER);
    const pods = '-o=jsonpath={.spec.replicas}';
    const api = await kubectl('get', 'deploy', 'sl-api', '-n', 'photos', pods);
    return { model: request?.spec.model, replicas: scaled?.spec.replicas, api };
  }

  test('the operator and the CRDs are upgraded first, and existing objects remain valid', async () => {
    await helm('upgrade', 'op', OPERATOR, '--namespace=system', '--no-hooks');
    // Applies the CRDs, as the chart's Job does in a real upgrade. No node runs the Job here.
    const crds = await kubectl('apply', '--server-side', '--force-conflicts', '-f', CRDS);
    expect(crds.match(/serverside-applied/g)).toHaveLength(2);
    expect(await writtenByOthers()).toEqual(OTHERS);
    // The API server would reject each change of an object that is no longer valid.
    for (const kind of ['imodel', 'iroute']) {
      await kubectl('label', kind, '--all', 'seen=yes', '-n', 'photos');
    }
  });

  test('an upgrade and a rollback keep what users, autoscalers and the API have written', async () => {
    await helm('upgrade', 'sl', PLATFORM, ...PRODUCTION, valuesOf(last, 'production'));
    expect(await writtenByOthers()).toEqual(OTHERS);
    await helm('rollback', 'sl', '1', '--namespace=photos', '--no-hooks');
    expect(await writtenByOthers()).toEqual(OTHERS);
    // The values of the current release cause no conflict either. They name the number of the model's pods.
    const now = valuesOf(PLATFORM, 'production');
    await helm('upgrade', 'sl', PLATFORM, ...PRODUCTION, now);
    expect(await writtenByOthers()).toEqual({ ...OTHERS, replicas: 2 });
  });

  test('an upgrade of the quickstart does not recreate its stores', async () => {
    await helm('install', 'sl', last, ...TRYING, valuesOf(last, 'quickstart'));
    const volumes = () =>
      kubectl('get', 'statefulsets', '-n', 'trying', '-o=jsonpath={.items[*].metadata.uid}');
    const before = await volumes();
    expect(before.split(' ')).toHaveLength(4);
    await helm('upgrade', 'sl', PLATFORM, ...TRYING, valuesOf(PLATFORM, 'quickstart'));
    expect(await volumes()).toBe(before);
    await helm('rollback', 'sl', '1', '--namespace=trying', '--no-hooks');
    expect(await volumes()).toBe(before);
  });
});
