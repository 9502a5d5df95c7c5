import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@sightline/contracts/client';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import { FACES, POD, Quickstart } from '../../support/cluster/quickstart.ts';
import { drawPhoto } from '../../support/fixtures/draw-photo.ts';
import { activateModel } from '../../support/services/activate-model.ts';
import { ok } from '../../support/services/ok.ts';
import { settledMemory } from '../memory-watch.ts';
import { median } from '../statistics.ts';
import {
  type Period,
  PeriodLoad,
  type RepeatingClient,
  secondsOf,
  splitBy,
} from '../period-load.ts';

export interface SwitchFigures {
  /** The seconds from `helm install`, with the images already on the node, until the first photo is analyzed. */
  readonly installSeconds: number;
  readonly count: number;
  readonly requests: number;
  /** Failed requests and wrong answers. */
  readonly failures: readonly string[];
  /** The p99 of the requests that overlapped a switch, and of all others, in ms. */
  readonly p99: { readonly usual: number; readonly during: number };
  /** The median seconds of an activation while both models are warm in the same pods. */
  readonly warmSeconds: number;
  /**
   * A switch within the same pods while the new model is only in the store: its seconds, and the part that
   * the pods took to load the model.
   */
  readonly fromStore: { readonly seconds: number; readonly loading: number };
  readonly twoHosts: { readonly seconds: number; readonly loading: number };
  /** The memory of an inference pod after these numbers of switches. */
  readonly memory: {
    readonly switches: readonly [number, number];
    readonly bytes: readonly [number, number];
  };
}

export interface SwitchOptions {
  readonly count: number;
}

const PAUSE_MS = 5_000;
const USUAL_MS = 30_000;
const OPS_PORT = 9464;
/** The numbers of switches after which memory is measured. */
const [FEW, MANY] = [2, 20] as const;
/** The most switches that can be timed between the two measurements of memory. */
export const MOST_SWITCHES = MANY - FEW;

/**
 * Switches between two face models on a node of its own, with two API pods and two inference pods, while
 * clients send requests.
 */
export async function measureSwitches({ count }: SwitchOptions): Promise<SwitchFigures> {
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
  // Leaves out the requests during the two switches before: they are neither counted switches nor usual load.
  const answers = [...load.answers.slice(0, alone), ...load.answers.slice(from)];
  const { warm, many } = await restOfSwitches(quickstart, { count, periods });
  const twoHosts = await betweenHosts(quickstart);
  const failures = [...load.failures];

  const { usual, during } = splitBy(periods, answers);
  return {
    installSeconds,
    count,
    requests: load.answers.length + failures.length,
    failures,
    p99: { usual: usual.p99, during: during.p99 },
    warmSeconds: median(warm.map(secondsOf)),
    fromStore,
    twoHosts,
    memory: { switches: [FEW, MANY], bytes: grownFrom(few, many) },
  };
}

/** Two clients: one identifies a face, the other detects a face in a new image each time. */
function clientsOf(client: Client): readonly RepeatingClient[] {
  const identified = drawPhoto({ faces: ['Ada 2'] });
  return [
    async () => {
      const file = await identified;
      return async () => {
        const { faces } = ok(await client.identifyFaces({ body: { file } }));
        // A face and references of different models would not match.
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

/** Activates the two models in turn, the other one first. */
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

async function restOfSwitches(
  quickstart: Quickstart,
  { count, periods }: { readonly count: number; readonly periods: readonly Period[] },
) {
  const rest = await switchToAndFro(quickstart, MANY - FEW - count);
  return { warm: [...periods, ...rest], many: await memoryOf(quickstart) };
}

interface Measured {
  /** Identifies one run of the pod's process. */
  readonly process: string;
  readonly bytes: number;
}

/** The memory of the oldest pod. */
async function memoryOf({ namespace }: Quickstart): Promise<Measured> {
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
function grownFrom(few: Measured, many: Measured): readonly [number, number] {
  if (few.process === many.process) return [few.bytes, many.bytes];
  throw new Error('The inference pod, or its process, was exchanged meanwhile.');
}

/** Switches to a model in pods of its own, which have to start first, while the previous model has warm pods. */
async function betweenHosts(quickstart: Quickstart): Promise<SwitchFigures['twoHosts']> {
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
): Promise<SwitchFigures['fromStore']> {
  const started = Date.now();
  await begin();
  const { status } = await quickstart.answers('face', model);
  const seconds = (Date.now() - started) / 1000;
  return { seconds, loading: offeredAfter(status, started) };
}

function offeredAfter(status: InferenceRoute['status'], started: number): number {
  const available = Date.parse(status?.available?.since ?? '');
  return Math.max(0, (available - started) / 1000);
}
