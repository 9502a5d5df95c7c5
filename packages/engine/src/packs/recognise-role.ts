import type { OnnxModel } from '../onnx/onnx-model.ts';
import { recogniseFaceRole } from './recognise-face-role.ts';
import { recogniseObjectRole } from './recognise-object-role.ts';
import type { Recognition } from './recognition.ts';

const FLOAT32 = 1;

/**
 * Tells what an ONNX file is from its graph alone: its inputs, its outputs and the first nodes, as
 * the model router of insightface (Python) does for face models; object detectors by the shape of
 * their output and what their exporter wrote into the file.
 */
export function recogniseRole(model: OnnxModel): Recognition {
  const elementType = model.graph.inputs[0]?.elementType;
  if (elementType !== FLOAT32) {
    return { component: null, reason: 'takes something else than float32 as input' };
  }
  return (
    recogniseFaceRole(model.graph) ??
    recogniseObjectRole(model) ?? {
      component: null,
      reason: 'has inputs and outputs of no model that is known here',
    }
  );
}
