import { decodeModel, encodeModel, type ModelMessage } from '@sightline/engine/onnx/model-proto';
import { dropStaleInputs } from './drop-stale-inputs.ts';
import { foldDequantization } from './fold-dequantization.ts';
import { freeDimensions } from './free-dimensions.ts';

/** The first IR version in which an initializer need not be declared as an input. */
const INITIALIZERS_ALONE = 4;
/** The first opset whose operands broadcast like NumPy's. */
const BROADCASTING_OPSET = 7;

/**
 * Prepares a published ONNX model, so that onnxruntime can load it and runs it fast. Quantized weights become float32,
 * unnecessary inputs are removed, and batch, height and width become dynamic if the graph allows that. The results stay
 * the same up to float32 rounding.
 *
 * The same input gives the same bytes on every machine, so that a digest can identify the result.
 *
 * @throws FileRefused if the bytes are not an ONNX model
 */
export function prepareOnnx(bytes: Uint8Array): Uint8Array {
  const model = decodeModel(bytes);
  const folded = dropStaleInputs(foldDequantization(model.graph));
  // `dropStaleInputs` comes last, because `freeDimensions` replaces the target shapes of Reshapes and leaves the old
  // shapes unused.
  const graph = broadcasts(model) ? dropStaleInputs(freeDimensions(folded)) : folded;
  return encodeModel({
    ...model,
    irVersion: Math.max(model.irVersion, INITIALIZERS_ALONE),
    // The declared intermediate shapes apply to the fixed input size only. onnxruntime infers them again.
    graph: { ...graph, valueInfo: [] },
  });
}

function broadcasts({ opsetImport }: ModelMessage): boolean {
  const standard = opsetImport.find(({ domain = '' }) => domain === '' || domain === 'ai.onnx');
  return (standard?.version ?? 0) >= BROADCASTING_OPSET;
}
