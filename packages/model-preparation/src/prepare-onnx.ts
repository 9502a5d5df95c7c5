import { decodeModel, encodeModel } from '@sightline/engine/onnx/model-proto';
import { dropStaleInputs } from './drop-stale-inputs.ts';
import { foldDequantization } from './fold-dequantization.ts';
import { type FreeAxes, freeDimensions } from './free-dimensions.ts';

/** The first IR version in which an initializer need not be declared as an input. */
const INITIALIZERS_ALONE = 4;

/**
 * Prepares a published ONNX model, so that onnxruntime can load it and runs it fast. Quantized weights become float32,
 * unnecessary inputs are removed, and the given axes become dynamic. The results stay the same up to float32 rounding.
 *
 * The same input gives the same bytes on every machine, so that a digest can identify the result.
 *
 * @param axes the axes that the network allows to be dynamic
 * @throws FileRefused if the bytes are not an ONNX model
 */
export function prepareOnnx(bytes: Uint8Array, axes: FreeAxes): Uint8Array {
  const model = decodeModel(bytes);
  const folded = dropStaleInputs(foldDequantization(model.graph));
  // `dropStaleInputs` comes last again, because `freeDimensions` leaves replaced target shapes of Reshapes unused.
  const graph = dropStaleInputs(freeDimensions(folded, axes));
  return encodeModel({
    ...model,
    irVersion: Math.max(model.irVersion, INITIALIZERS_ALONE),
    // The declared intermediate shapes apply to the fixed input size only. onnxruntime infers them again.
    graph: { ...graph, valueInfo: [] },
  });
}
