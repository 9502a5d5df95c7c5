import type { FloatTensor } from '@sightline/engine/onnx/session';
import type { GraphModelFiles } from '../convert-graph-model.ts';
import { openConverted } from './open-converted.ts';

/**
 * Converts a graph model and runs it with onnxruntime.
 *
 * @param input a tensor with the axes [batch, channels, height, width]
 * @param outputs the names of output nodes
 * @returns a tensor for each output
 */
export async function runConverted(
  files: GraphModelFiles,
  input: FloatTensor,
  outputs: readonly string[],
): Promise<FloatTensor[]> {
  await using session = await openConverted(files, outputs);
  const results = await session.run({ [session.inputs[0]!.name]: input });
  return outputs.map((name) => results[name]!);
}
