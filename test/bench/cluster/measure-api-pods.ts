import { setTimeout as sleep } from 'node:timers/promises';
import { Quickstart } from '../../support/cluster/quickstart.ts';
import { drawPhoto } from '../../support/fixtures/draw-photo.ts';
import { ok } from '../../support/services/ok.ts';
import type { Bench, Measured } from '../bench.ts';
import { mebibytes } from '../cells.ts';
import { markdownTable } from '../markdown-table.ts';
import { residentMemory } from '../memory-watch.ts';
import { median } from '../statistics.ts';

interface Deployment {
  readonly spec: {
    readonly template: {
      readonly spec: { readonly containers: readonly { readonly env: readonly Variable[] }[] };
    };
  };
}

interface Variable {
  readonly name: string;
}

interface Pods {
  readonly items: readonly { readonly status: { readonly podIP: string } }[];
}

const PODS = 5;
const REQUESTS = 20;
/** Time for garbage collection after the requests, in ms. */
const REST_MS = 10_000;
const [HTTP_PORT, OPS_PORT] = [8080, 9464];
const REVISION = 'a'.repeat(64);
const ROUTES = 'SIGHTLINE_ROUTES';

/**
 * Measures two copies of the API's Deployment that differ in one variable, one after the other, without an
 * operator.
 */
export async function measureApiPods({ models, madeBy }: Bench): Promise<Measured> {
  await using quickstart = await Quickstart.prepare('bench-api');
  await quickstart.start();
  await quickstart.enrollAda();
  const { namespace, name } = quickstart;
  await namespace.kubectl('scale', `deployment/${name}-operator`, '--replicas=0');
  await namespace.apply({ apiVersion: 'v1', kind: 'List', items: modelsOf(models) });
  const following = await memoryWith(quickstart, 'kubernetes');
  const alone = await memoryWith(quickstart, 'database');
  const text = `## API pods that follow the cluster

${madeBy}

The quickstart on one node with ${models} InferenceModels in its namespace, which no operator has given a status. Two copies of the API's Deployment
with ${PODS} pods each, one after the other, differ in \`SIGHTLINE_ROUTES\` alone. Each pod answers lists of models and photos before its memory is
read. As the vectors of this quickstart are in the pod's memory, its process also works in the background.

${markdownTable(
  ['measure', 'here', 'aim'],
  [
    [
      'memory of the median pod with `kubernetes` / with `database`, MiB',
      `${mebibytes(following)} / ${mebibytes(alone)}`,
      'at most 15 more',
    ],
  ],
)}`;
  return { text };
}

function modelsOf(count: number): readonly object[] {
  return Array.from({ length: count }, (_, at) => ({
    apiVersion: 'sightline.dev/v1alpha1',
    kind: 'InferenceModel',
    metadata: { name: `idle-${at}` },
    spec: { task: 'Face', source: { store: {} }, revision: REVISION },
  }));
}

/** The resident memory of the median pod in bytes, after each pod has answered some requests. */
async function memoryWith(quickstart: Quickstart, routes: string): Promise<number> {
  const { namespace, name } = quickstart;
  const copy = `${name}-api-${routes}`;
  const api = await namespace.get<Deployment>(`deployment/${name}-api`);
  await namespace.apply(copyOf(api, { name: copy, routes }));
  await namespace.kubectl('rollout', 'status', `deployment/${copy}`, '--timeout=180s');
  const { items } = await namespace.get<Pods>('pods', `--selector=measured=${copy}`);
  const file = await drawPhoto({ faces: ['Ada'] });
  for (const { status } of items) {
    const client = quickstart.clientAt(`http://${status.podIP}:${HTTP_PORT}`);
    for (let asked = 0; asked < REQUESTS; asked++) {
      ok(await client.listModels({}));
      ok(await client.identifyFaces({ body: { file } }));
    }
  }
  await sleep(REST_MS);
  const bytes = await Promise.all(
    items.map(({ status }) => residentMemory(`http://${status.podIP}:${OPS_PORT}/metrics`)),
  );
  await namespace.kubectl('delete', `deployment/${copy}`, '--wait');
  return median(bytes);
}

function copyOf(
  { spec }: Deployment,
  { name, routes }: { readonly name: string; readonly routes: string },
): object {
  const { containers } = spec.template.spec;
  const labels = { measured: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      replicas: PODS,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          ...spec.template.spec,
          containers: containers.map((container) => ({
            ...container,
            env: container.env.map((one) =>
              one.name === ROUTES ? { name: ROUTES, value: routes } : one,
            ),
          })),
        },
      },
    },
  };
}
