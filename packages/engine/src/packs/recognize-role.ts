import type { OnnxModel } from '../onnx/onnx-model.ts';
import { recognizeFaceRole } from './recognize-face-role.ts';
import { recognizeObjectRole } from './recognize-object-role.ts';
import { recognizeOpenVocabularyRole, recognizeTextRole } from './recognize-open-vocabulary.ts';
import type { Recognition } from './recognition.ts';

const FLOAT32 = 1;
const INT32 = 6;
const INT64 = 7;

/**
 * Recognizes the role of an ONNX file by its graph. Face models are recognized by inputs, outputs
 * and first nodes, like in the model router of insightface (Python). Object detectors are
 * recognized by the shape of their output and the metadata of their exporter.
 */
export function recognizeRole(model: OnnxModel): Recognition {
  const elementType = model.graph.inputs[0]?.elementType;
  if (elementType === INT32 || elementType === INT64) return recognizeTextRole(model.graph);
  if (elementType !== FLOAT32) {
    return { component: null, reason: 'has an input that is not float32' };
  }
  return (
    recognizeOpenVocabularyRole(model) ??
    recognizeFaceRole(model.graph) ??
    recognizeObjectRole(model) ?? {
      component: null,
      reason: 'is not a supported model by its inputs and outputs',
    }
  );
}
