import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@sightline/contracts/client';
import { FACES, POD, Quickstart } from '../../support/cluster/quickstart.ts';
import { drawPhoto } from '../../support/fixtures/draw-photo.ts';
import { activateModel } from '../../support/services/activate-model.ts';
import { ok } from '../../support/services/ok.ts';
import type { Bench, Measured } from '../bench.ts';
import { grouped, mebibytes } from '../cells.ts';
import { markdownTable } from '../markdown-table.ts';
import { settledMemory } from '../memory-watch.ts';
import { median } from '../statistics.ts';
import {
  type Period,
  PeriodLoad,
  type RepeatingClient,
  secondsOf,
  splitBy,
} from '../period-load.ts';

const PAUSE_MS = 5_000;
const USUAL_MS = 30_000;
const OPS_PORT = 9464;
/** The numbers of switches after which memory is measured. */
const [FEW, MANY] = [2, 20] as const;
/** The most switches that can be timed between the two measurements of memory. */
const MOST_SWITCHES = MANY - FEW;

/**
 * Switches between two face models on a node of its own, with two API pods and two inference pods, while
 * clients send requests.
 *
 * @throws RangeError if the count of timed switches is too large
 */
export async function measureSwitches({ count, madeBy }: Bench): Promise<Measured> {
  if (count > MOST_SWITCHES) throw new RangeError(`--count takes at most ${MOST_SWITCHES}.`);
  const began = performance.now();
  await using quickstart = await Quickstart.prepare('bench');
  await quickstart.start();
  const file = await drawPhoto({ faces: ['Ada'], objects: ['bus'] });
  ok(await quickstart.client.detectAll({ body: { file } }));
  const installSeconds = (performance.now() - began) / 1000;
  await quickstart.enrollAda();
  await scaleToTwo(quickstart);
  // Pods unload the previous model at once, unless its standby keeps it warm.
  await quickstart.patch('iroute', 'face', { spec: { keepPreviousSeconds: 0 } });

  await using load = new PeriodLoad(clientsOf(quickstart.client));
  await sleep(USUAL_MS);
  const alone = load.answers.length;
  const fromStore = await switchedBy(quickstart, 'others', () =>
    activateModel(quickstart.client, FACES.others),
  );
  await activateModel(quickstart.client, FACES.faces);
  // From here on both models stay loaded between switches.
  await quickstart.patch('imodel', 'others', { spec: { standby: 'Warm' } });
  await quickstart.patch('imodel', 'faces', { spec: { standby: 'Warm' } });
  await sleep(PAUSE_MS);
  const few = await memoryOf(quickstart);
  const from = load.answers.length;
  const periods = await switchToAndFro(quickstart, count);
  // Leaves out the requests between `alone` and `from`. The two switches of that time are not among the timed ones,
  // so these requests count neither as requests during a switch nor as usual requests.
  const answers = [...load.answers.slice(0, alone), ...load.answers.slice(from)];
  const rest = await switchToAndFro(quickstart, MANY - FEW - count);
  const warm = median([...periods, ...rest].map(secondsOf));
  const memory = memoryCell(few, await memoryOf(quickstart));
  const twoHosts = await betweenHosts(quickstart);
  for (const failure of load.failures) console.error(failure);

  const { usual, during } = splitBy(periods, answers);
  const failed = load.failures.length;
  const text = `## Switches on Kubernetes

${madeBy}

The quickstart on one node, with two API pods and two inference pods, all on the same cores as the clients and the control plane. Models are toy
packs that take no time, so what is measured is all the rest. While one client identifies a face and another detects one in a
new image, each as soon as it has its answer, two face models of different embeddings follow each other ${count} times, with 5 s between them.
Every answer has to know the enrolled person, whom a vector of another model would not. A request counts as one during a switch
if the two overlapped; the usual are 30 s before the first switch, and the time between two. Loading is what the pods take to fetch a model and to warm it up, from the request until the route has it available. Installing includes putting the packs into the store, and a second \`helm upgrade\` that names them.
Memory is looked at once it grows no more by the load alone: a fresh process grows for thousands of requests, without a switch as with them.

${markdownTable(
  ['measure', 'here', 'aim'],
  [
    [`failed of ${grouped(load.answers.length + failed)} requests`, String(failed), '0'],
    [
      'p99, usual / during a switch, ms',
      `${usual.p99.toFixed(0)} / ${during.p99.toFixed(0)} (${(during.p99 / usual.p99).toFixed(2)})`,
      'at most 2.5 times',
    ],
    ['a switch in place, both warm, s', warm.toFixed(1), 'at most 5'],
    ['a switch in place, from the store, s', fromStore, 'loading + 5'],
    ['a switch between two hosts, s', twoHosts, 'loading + 45'],
    [
      `memory of an inference pod after ${FEW} / ${MANY} switches, MiB`,
      memory,
      'at most 1.05 times',
    ],
    [
      'from `helm install`, images present, to the first answered photo, s',
      installSeconds.toFixed(0),
      'at most 180',
    ],
  ],
)}`;
  return { text };
}

/** Two clients: one identifies a face, the other detects a face in a new image each time. */
function clientsOf(client: Client): readonly RepeatingClient[] {
  const identified = drawPhoto({ faces: ['Ada 2'] });
  return [
    async () => {
      const file = await identified;
      return async () => {
        const { faces } = ok(await client.identifyFaces({ body: { file } }));
        // The label is missing if the face's embedding and the references come from different models.
        if (faces.length !== 1 || faces[0]!.label !== 'Ada') throw new Error(JSON.stringify(faces));
      };
    },
    async (at) => {
      const file = await drawPhoto({ faces: ['Ada 3'], comment: String(at) });
      return async () => {
        const { faces } = ok(await client.detectFaces({ body: { file } }));
        if (faces.length !== 1) throw new Error(JSON.stringify(faces));
      };
    },
  ];
}

async function scaleToTwo(quickstart: Quickstart): Promise<void> {
  await quickstart.namespace.kubectl('scale', 'imodel/faces', '--replicas=2');
  await quickstart.modelIs('faces', ({ status }) => status?.pods?.warm === 2);
  await quickstart.namespace.kubectl(
    'rollout',
    'status',
    'deployment/imodel-faces',
    '--timeout=180s',
  );
}

/** Activates the models `others` and `faces` in turn, with pauses, and returns the times of the switches. */
async function switchToAndFro(quickstart: Quickstart, count: number): Promise<readonly Period[]> {
  const periods: Period[] = [];
  for (let at = 0; at < count; at++) {
    await sleep(PAUSE_MS);
    const start = performance.now();
    await activateModel(quickstart.client, at % 2 === 0 ? FACES.others : FACES.faces);
    periods.push({ start, end: performance.now() });
  }
  await sleep(PAUSE_MS);
  return periods;
}

interface PodMemory {
  /** Identifies one run of the pod's process. */
  readonly process: string;
  readonly bytes: number;
}

/** The memory of the oldest pod. */
async function memoryOf({ namespace }: Quickstart): Promise<PodMemory> {
  const { items } = await namespace.get<{
    readonly items: readonly {
      readonly metadata: { readonly uid: string };
      readonly status: {
        readonly podIP: string;
        readonly startTime: string;
        readonly containerStatuses: readonly { readonly restartCount: number }[];
      };
    }[];
  }>('pods', '--selector=sightline.dev/model=faces,sightline.dev/role=inference');
  const [oldest] = items.toSorted((a, b) => a.status.startTime.localeCompare(b.status.startTime));
  const { metadata, status } = oldest!;
  return {
    process: `${metadata.uid} ${status.containerStatuses[0]?.restartCount}`,
    bytes: await settledMemory(`http://${status.podIP}:${OPS_PORT}/metrics`),
  };
}

/** @throws Error if the two measurements are of different processes */
function memoryCell(few: PodMemory, many: PodMemory): string {
  if (few.process !== many.process) {
    throw new Error('The inference pod or its process was replaced between two measurements.');
  }
  const growth = (many.bytes / few.bytes).toFixed(2);
  return `${mebibytes(few.bytes)} / ${mebibytes(many.bytes)} (${growth})`;
}

/** Switches to a model in pods of its own, which have to start first, while the previous model has warm pods. */
async function betweenHosts(quickstart: Quickstart): Promise<string> {
  await activateModel(quickstart.client, FACES.faces);
  await quickstart.patch('imodel', 'others', { spec: { standby: 'Store' } });
  await quickstart.modelIs('others', ({ status }) => status?.pods?.warm === 0);
  await quickstart.namespace.apply({
    apiVersion: 'sightline.dev/v1alpha1',
    kind: 'InferenceModel',
    metadata: { name: 'apart' },
    spec: {
      ...quickstart.modelOf(FACES.others, 'Face'),
      runtime: { device: 'CPU', resources: POD },
      replicas: 2,
    },
  });
  await quickstart.modelIs('apart', ({ status }) => status?.state === 'Verified');
  return switchedBy(quickstart, 'apart', () =>
    quickstart.patch('iroute', 'face', { spec: { model: 'apart' } }),
  );
}

/** Times a switch, and how long the pods took until the route's status reported the model as available. */
async function switchedBy(
  quickstart: Quickstart,
  model: string,
  begin: () => Promise<void>,
): Promise<string> {
  const started = Date.now();
  await begin();
  const { status } = await quickstart.answers('face', model);
  const seconds = (Date.now() - started) / 1000;
  const available = Date.parse(status?.available?.since ?? '');
  const loading = Math.max(0, (available - started) / 1000);
  return `${seconds.toFixed(1)}, of which loading ${loading.toFixed(1)}`;
}
