import type { GraphMessage, NodeMessage, TensorMessage } from '@sightline/engine/onnx/model-proto';
import { dequantize } from './dequantize.ts';
import { intAttribute, isStandard } from '@sightline/engine/onnx/node-attributes';
import {
  elementTypes,
  floatTensor,
  product,
  tensorValues,
} from '@sightline/engine/onnx/tensor-values';

type Constants = ReadonlyMap<string, TensorMessage>;

/**
 * Replaces each DequantizeLinear of weights, and a Reshape of its result, by a float32 initializer. Nodes with unsupported
 * operands stay.
 *
 * A graph whose activations are quantized, too, stays unchanged, because onnxruntime computes such graphs with integers.
 */
export function foldDequantization(graph: GraphMessage): GraphMessage {
  if (graph.node.some((node) => isStandard(node, 'QuantizeLinear'))) return graph;
  const constants: Constants = new Map(
    graph.initializer.map((tensor) => [tensor.name ?? '', tensor]),
  );
  const outputs = new Set(graph.output.map(({ name }) => name));
  const folded = new Map<string, TensorMessage>();
  const node = graph.node.filter((candidate) => {
    const [name = ''] = candidate.output;
    const result = outputs.has(name)
      ? undefined
      : (foldDequantize(candidate, constants) ?? foldReshape(candidate, folded, constants));
    if (result !== undefined) folded.set(name, result);
    return result === undefined;
  });
  return { ...graph, node, initializer: [...graph.initializer, ...folded.values()] };
}

function foldDequantize(node: NodeMessage, constants: Constants): TensorMessage | undefined {
  if (!isStandard(node, 'DequantizeLinear') || !isOfFloat32(node)) return undefined;
  const [name = ''] = node.output;
  const [values, scale, zeroPoint] = node.input.map((input) => constants.get(input));
  if (values === undefined || scale === undefined) return undefined;
  const zeroIsConstant = zeroPoint !== undefined || !node.input[2];
  const result = zeroIsConstant
    ? dequantize({
        values,
        scale,
        ...(zeroPoint && { zeroPoint }),
        axis: intAttribute(node, 'axis', 1),
        blockSize: intAttribute(node, 'block_size', 0),
      })
    : undefined;
  return result && floatTensor(name, values.dims, result);
}

/** Whether a node's output is float32. Without an attribute, the output has the type of the scale. */
function isOfFloat32(node: NodeMessage): boolean {
  const type = intAttribute(node, 'output_dtype', 0);
  return type === 0 || type === elementTypes.float32;
}

function foldReshape(
  node: NodeMessage,
  folded: Constants,
  constants: Constants,
): TensorMessage | undefined {
  if (!isStandard(node, 'Reshape') || intAttribute(node, 'allowzero', 0) !== 0) return undefined;
  const [name = ''] = node.output;
  const [data, shape] = [folded.get(node.input[0]!), constants.get(node.input[1]!)];
  const target = shape && tensorValues(shape);
  const dims = data && target && reshape(data.dims, [...target]);
  return dims && { ...data, name, dims };
}

/** The shape after a Reshape. A 0 copies the length from the input, and a single -1 stands for the remaining length. */
function reshape(from: readonly number[], target: readonly number[]): number[] | undefined {
  const dims = target.map((length, axis) => (length === 0 ? (from[axis] ?? 0) : length));
  const inferred = dims.indexOf(-1);
  const filled =
    inferred < 0 ? dims : dims.with(inferred, product(from) / product(dims.toSpliced(inferred, 1)));
  const fits = filled.every((length) => Number.isInteger(length) && length >= 0);
  return fits && product(filled) === product(from) ? filled : undefined;
}
