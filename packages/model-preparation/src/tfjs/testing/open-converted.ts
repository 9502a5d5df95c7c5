import type { ModelSession } from '@sightline/engine/onnx/session';
import { openBytes } from '@sightline/engine/onnx/testing/open-bytes';
import { convertGraphModel, type GraphModelFiles } from '../convert-graph-model.ts';

/** Converts a graph model and opens the result. @param outputs the names of output nodes */
export function openConverted(
  files: GraphModelFiles,
  outputs: readonly string[],
): Promise<ModelSession> {
  return openBytes(convertGraphModel(files, outputs));
}
