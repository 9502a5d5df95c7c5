import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FloatTensor, openSession } from '../../../onnx/session.ts';
import { convertGraphModel, type GraphModelFiles } from '../convert-graph-model.ts';

/**
 * What onnxruntime computes of a graph model after conversion.
 *
 * @param input [batch, channels, height, width]
 * @param outputs names of nodes
 * @returns one per output
 */
export async function runConverted(
  files: GraphModelFiles,
  input: FloatTensor,
  outputs: readonly string[],
): Promise<FloatTensor[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-tfjs-'));
  try {
    const path = join(folder, 'model.onnx');
    await writeFile(path, convertGraphModel(files, outputs));
    await using session = await openSession(path, { provider: 'cpu', intraOpThreads: 1 });
    const results = await session.run({ [session.inputs[0]!.name]: input });
    return outputs.map((name) => results[name]!);
  } finally {
    await rm(folder, { recursive: true });
  }
}
