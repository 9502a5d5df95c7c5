import '@tensorflow/tfjs-backend-cpu';
import { loadGraphModel } from '@tensorflow/tfjs-converter';
import { env, setBackend, type Tensor, tensor, transpose } from '@tensorflow/tfjs-core';
import type { FloatTensor } from '@sightline/engine/onnx/session';
import type { GraphModelFiles } from '../convert-graph-model.ts';

interface ModelJson {
  readonly modelTopology: object;
  readonly weightsManifest: readonly { readonly weights: readonly never[] }[];
}

/**
 * Runs a graph model with TensorFlow.js, on its CPU backend.
 *
 * @param input a tensor with the axes [batch, channels, height, width]
 * @param outputs the names of output nodes
 * @returns a tensor for each output; four axes have the order of the input
 */
export async function runTensorflow(
  files: GraphModelFiles,
  input: FloatTensor,
  outputs: readonly string[],
): Promise<FloatTensor[]> {
  // Suppresses a long message that recommends the native binding.
  env().set('IS_TEST', true);
  await setBackend('cpu');
  const { modelTopology, weightsManifest } = JSON.parse(
    new TextDecoder().decode(files.model),
  ) as ModelJson;
  const model = await loadGraphModel({
    load: () =>
      Promise.resolve({
        modelTopology,
        weightSpecs: weightsManifest.flatMap(({ weights }) => weights),
        weightData: new Uint8Array(files.weights).buffer,
      }),
  });
  const images = transpose(tensor(input.data, [...input.dims]), [0, 2, 3, 1]);
  const results = model.execute(images, [...outputs]);
  return (Array.isArray(results) ? results : [results]).map(toChannelsFirst);
}

function toChannelsFirst(result: Tensor): FloatTensor {
  const ordered = result.rank === 4 ? transpose(result, [0, 3, 1, 2]) : result;
  return { data: Float32Array.from(ordered.dataSync()), dims: ordered.shape };
}
