import { decodeModel, encodeModel, type ModelMessage } from '@sightline/engine/onnx/model-proto';
import { dropStaleInputs } from './drop-stale-inputs.ts';
import { foldDequantization } from './fold-dequantization.ts';
import { freeDimensions } from './free-dimensions.ts';

/** The first IR version in which an initializer need not be an input as well. */
const INITIALIZERS_ALONE = 4;
/** The first opset whose operands broadcast like NumPy's. */
const BROADCASTING_OPSET = 7;

/**
 * Prepares a published ONNX model so that onnxruntime loads it and runs it fast: quantized weights
 * become float32, unnecessary inputs are removed, and batch, height and width become dynamic if the
 * graph allows it. The results stay the same up to float32 rounding.
 *
 * Pure and deterministic: the same bytes give the same bytes on every machine, so the result can be
 * identified by its digest.
 *
 * @throws FileRefused if it is not an ONNX model
 */
export function prepareOnnx(bytes: Uint8Array): Uint8Array {
  const model = decodeModel(bytes);
  const folded = dropStaleInputs(foldDequantization(model.graph));
  // Freed Reshapes leave their fixed shapes behind.
  const graph = broadcasts(model) ? dropStaleInputs(freeDimensions(folded)) : folded;
  return encodeModel({
    ...model,
    irVersion: Math.max(model.irVersion, INITIALIZERS_ALONE),
    // Intermediate shapes are those of the fixed input; onnxruntime infers them again.
    graph: { ...graph, valueInfo: [] },
  });
}

function broadcasts({ opsetImport }: ModelMessage): boolean {
  const standard = opsetImport.find(({ domain = '' }) => domain === '' || domain === 'ai.onnx');
  return (standard?.version ?? 0) >= BROADCASTING_OPSET;
}
