import { parentPort, workerData } from 'node:worker_threads';
import { runTensorflow } from './run-tensorflow.ts';

const { files, input, outputs } = workerData as {
  files: Parameters<typeof runTensorflow>[0];
  input: Parameters<typeof runTensorflow>[1];
  outputs: readonly string[];
};
parentPort!.postMessage(await runTensorflow(files, input, outputs));
