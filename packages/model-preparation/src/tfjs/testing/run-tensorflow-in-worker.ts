import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FloatTensor } from '@sightline/engine/onnx/session';
import type { GraphModelFiles } from '../convert-graph-model.ts';

/**
 * As `runTensorflow`, in a thread of its own: plain JavaScript takes six times as long in the
 * context that jest gives a test, and a whole net is a lot of it.
 */
export async function runTensorflowAside(
  files: GraphModelFiles,
  input: FloatTensor,
  outputs: readonly string[],
): Promise<FloatTensor[]> {
  const worker = new Worker(new URL('./tensorflow-worker.ts', import.meta.url), {
    workerData: { files, input, outputs },
  });
  const [results] = (await once(worker, 'message')) as [FloatTensor[]];
  return results;
}
