import { parentPort, workerData } from 'node:worker_threads';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { decodeImage } from '@sightline/engine/image/decode-image';
import { PixelBudget } from '@sightline/engine/image/pixel-budget';
import { encodeCrop, encodeSource } from '@sightline/engine/image/renditions';
import { openFacePack, openObjectPack } from '@sightline/engine/packs/open-pack';
import { InferenceSession } from 'onnxruntime-node';
import type { BareAnswer, BareStart, BareTask } from './bare-loop.ts';
import { photosOf, type Workload, WORKLOADS, type WorkloadName } from './workloads.ts';

/**
 * A thread of the bare loop has sessions of its own, holds the encoded images in memory and loops over them.
 * It runs the engine's pipelines without the engine's threads, queue and messages.
 */
const { models, photos } = workerData as BareStart;
const session = { provider: 'cpu', intraOpThreads: 1 } as const;
const { face, object } = models;
const faces = face && (await openFacePack(face, session)).pipeline;
const objects = object && (await openObjectPack(object, session)).pipeline;
const limits = DEFAULT_IMAGE_LIMITS;
const budget = PixelBudget.alone(limits.maxPixelsInFlight);
const recordings = new Map<WorkloadName, RuntimeCall[][]>();

/** One recorded call of the runtime with its tensors, which can be repeated. */
type RuntimeCall = () => Promise<unknown>;
type RunSession = (this: InferenceSession, feeds: InferenceSession.FeedsType) => Promise<unknown>;

const sessions = (InferenceSession as unknown as { prototype: { run: RunSession } }).prototype;

/** Does some work and returns its calls of the runtime, in their order. */
async function recordRuntime(work: () => Promise<unknown>): Promise<RuntimeCall[]> {
  const calls: RuntimeCall[] = [];
  const { run } = sessions;
  sessions.run = function (feeds) {
    const call = () => run.call(this, feeds);
    calls.push(call);
    return call();
  };
  try {
    await work();
  } finally {
    sessions.run = run;
  }
  return calls;
}

type Operation = (index: number) => Promise<number>;

async function analyze(workload: Workload, index: number): Promise<number> {
  let found = 0;
  for (const bytes of photosOf(workload, photos, index)) {
    using image = await decodeImage(bytes, { limits, budget });
    const { raster } = image;
    const { faces: forFaces, objects: forObjects, renditions } = workload.analysis;
    const boxes = [
      ...(forFaces ? await faces!.analyze(raster, forFaces, ignore) : []),
      ...(forObjects ? await objects!.analyze(raster, forObjects, ignore) : []),
    ].map(({ bbox }) => bbox);
    if (renditions) {
      await Promise.all([
        ...(renditions.source ? [encodeSource(raster, renditions.source)] : []),
        ...boxes.map((box) => encodeCrop(raster, box, renditions.crops)),
      ]);
    }
    found += boxes.length;
  }
  return found;
}

async function runtimeCalls(name: WorkloadName): Promise<RuntimeCall[][]> {
  const known = recordings.get(name);
  if (known !== undefined) return known;
  const calls: RuntimeCall[][] = [];
  for (const index of photos.keys()) {
    calls.push(await recordRuntime(() => analyze(WORKLOADS[name], index)));
  }
  recordings.set(name, calls);
  return calls;
}

async function operationOf({ side, workload }: BareTask): Promise<Operation> {
  if (side === 'bare') return (index) => analyze(WORKLOADS[workload], index);
  const calls = await runtimeCalls(workload);
  return async (index) => {
    for (const call of calls[index % calls.length]!) await call();
    return 0;
  };
}

async function work(task: BareTask): Promise<BareAnswer> {
  const operation = await operationOf(task);
  const next = new Int32Array(task.next);
  const milliseconds: number[] = [];
  let found = 0;
  for (;;) {
    const index = Atomics.add(next, 0, 1);
    if (index >= task.end) return { milliseconds, found };
    const start = performance.now();
    found += await operation(index);
    milliseconds.push(performance.now() - start);
  }
}

function ignore(): void {
  // The bare loop reports no stages.
}

parentPort!.on('message', (task: BareTask) => {
  void work(task).then((answer) => parentPort!.postMessage(answer));
});
parentPort!.postMessage('ready');
