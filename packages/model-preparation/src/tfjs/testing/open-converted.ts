import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ModelSession, openSession } from '@sightline/engine/onnx/session';
import { convertGraphModel, type GraphModelFiles } from '../convert-graph-model.ts';

/**
 * Converts a graph model and opens it.
 *
 * @param outputs names of nodes
 */
export async function openConverted(
  files: GraphModelFiles,
  outputs: readonly string[],
): Promise<ModelSession> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-tfjs-'));
  try {
    const path = join(folder, 'model.onnx');
    await writeFile(path, convertGraphModel(files, outputs));
    return await openSession(path, { provider: 'cpu', intraOpThreads: 1 });
  } finally {
    await rm(folder, { recursive: true });
  }
}
