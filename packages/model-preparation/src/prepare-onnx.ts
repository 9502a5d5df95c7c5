import { decodeModel, encodeModel, type ModelMessage } from '@sightline/engine/onnx/model-proto';
import { dropStaleInputs } from './drop-stale-inputs.ts';
import { foldDequantization } from './fold-dequantization.ts';
import { freeDimensions } from './free-dimensions.ts';

/** The first in which an initializer need not be an input as well. */
const INITIALIZERS_ALONE = 4;
/** The first set of operators whose operands broadcast as those of NumPy. */
const BROADCASTING_OPSET = 7;

/**
 * Makes of a published ONNX model one that onnxruntime loads and runs well: quantized weights become
 * float32, inputs that nobody has to feed go, and batch, height and width are free where the graph
 * allows it. The results of the model stay the same but for float32 rounding.
 *
 * Pure and deterministic: for the same bytes the same bytes on every machine, so that the result can be
 * named by its digest.
 *
 * @throws FileRefused if it is no ONNX model
 */
export function prepareOnnx(bytes: Uint8Array): Uint8Array {
  const model = decodeModel(bytes);
  const folded = dropStaleInputs(foldDequantization(model.graph));
  // Shapes that became free leave their fixed ones behind.
  const graph = broadcasts(model) ? dropStaleInputs(freeDimensions(folded)) : folded;
  return encodeModel({
    ...model,
    irVersion: Math.max(model.irVersion, INITIALIZERS_ALONE),
    // The shapes of the values between are those of the fixed input; the runtime infers them anew.
    graph: { ...graph, valueInfo: [] },
  });
}

function broadcasts({ opsetImport }: ModelMessage): boolean {
  const standard = opsetImport.find(({ domain = '' }) => domain === '' || domain === 'ai.onnx');
  return (standard?.version ?? 0) >= BROADCASTING_OPSET;
}
