import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FloatTensor } from '@sightline/engine/onnx/session';
import type { GraphModelFiles } from '../convert-graph-model.ts';

/**
 * Like `runTensorflow`, in a worker thread, because plain JavaScript takes six times as long in
 * Jest's vm context.
 */
export async function runTensorflowInWorker(
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
