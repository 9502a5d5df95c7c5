import type { GraphMessage, NodeMessage, TensorMessage } from '@sightline/engine/onnx/model-proto';
import { dequantize } from './dequantize.ts';
import { intAttribute, isStandard } from './node-attributes.ts';
import { elementTypes, floatTensor, product, tensorValues } from './tensor-values.ts';

type Constants = ReadonlyMap<string, TensorMessage>;

/**
 * Computes what DequantizeLinear makes of weights, and Reshape of that, once and for all: the results
 * become initializers of float32. Operands that it does not understand stay as they are.
 *
 * Where activations are quantized too, the graph stays as it is: onnxruntime fuses those nodes with
 * their neighbours and computes with integers.
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

/** The type of the output is that of the scale unless an attribute asks for another. */
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
  const wanted = shape && tensorValues(shape);
  const dims = data && wanted && reshape(data.dims, [...wanted]);
  return dims && { ...data, name, dims };
}

/** Resolves 0 (as in the input) and one -1 (what is left). */
function reshape(from: readonly number[], wanted: readonly number[]): number[] | undefined {
  const dims = wanted.map((length, axis) => (length === 0 ? (from[axis] ?? 0) : length));
  const open = dims.indexOf(-1);
  const filled =
    open < 0 ? dims : dims.with(open, product(from) / product(dims.toSpliced(open, 1)));
  const fits = filled.every((length) => Number.isInteger(length) && length >= 0);
  return fits && product(filled) === product(from) ? filled : undefined;
}
