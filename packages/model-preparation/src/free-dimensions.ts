import type {
  GraphMessage,
  NodeMessage,
  TensorMessage,
  ValueMessage,
} from '@sightline/engine/onnx/model-proto';
import { isStandard } from '@sightline/engine/onnx/node-attributes';
import { int64Tensor, tensorValues } from '@sightline/engine/onnx/tensor-values';

/** The axes of a graph's images and of its outputs whose lengths become free. The first axis is the batch. */
export interface FreeAxes {
  readonly input: readonly number[];
  readonly outputs: readonly number[];
}

/** The axes of a network that takes images of one size, and has a row of values per image. */
export const FREE_BATCH: FreeAxes = { input: [0], outputs: [0] };

/** The axes of a fully convolutional detector, whose outputs have the axes batch, cell and value. */
export const FREE_BATCH_AND_SIZE: FreeAxes = { input: [0, 2, 3], outputs: [0, 1] };

/** The axes of images, in ONNX's layout. */
const NAMES: readonly (string | undefined)[] = ['batch', undefined, 'height', 'width'];

/**
 * Makes dimensions of a network of images dynamic, which its exporter fixed to the size of an example. A Reshape to a batch
 * of one image is changed to copy the length of the batch from its input. At the declared size, the results are unchanged.
 *
 * The caller knows that the network treats each image of a batch on its own, and takes images of other sizes if they are
 * to be free. Models are prepared if their digest is known, and used if that of the result is.
 */
export function freeDimensions(graph: GraphMessage, axes: FreeAxes): GraphMessage {
  const images = axes.input.map((axis) => [axis, NAMES[axis]] as const);
  // A shared name declares equal lengths, but the cells of the outputs have several strides. So only the batch has a name.
  const rows = axes.outputs.map((axis) => [axis, axis === 0 ? NAMES[0] : undefined] as const);
  return {
    ...copyBatchInReshapes(graph),
    input: graph.input.map((value) => withFreeDims(value, new Map(images))),
    output: graph.output.map((value) => withFreeDims(value, new Map(rows))),
  };
}

/** @param names the free axes with their names, if they have any */
function withFreeDims(
  value: ValueMessage,
  names: ReadonlyMap<number, string | undefined>,
): ValueMessage {
  const tensorType = value.type?.tensorType;
  const dims = tensorType?.shape?.dim;
  if (tensorType === undefined || dims === undefined) return value;
  const dim = dims.map((dimension, axis) => {
    const name = names.get(axis);
    if (!names.has(axis)) return dimension;
    return name === undefined ? {} : { dimParam: name };
  });
  return { ...value, type: { ...value.type, tensorType: { ...tensorType, shape: { dim } } } };
}

/** Makes Reshapes copy the batch. Each changed shape is a new constant, because other nodes may read the old one. */
function copyBatchInReshapes(graph: GraphMessage): GraphMessage {
  const constants = new Map(graph.initializer.map((tensor) => [tensor.name, tensor]));
  const added = new Map<string, TensorMessage>();
  const node = graph.node.map((candidate): NodeMessage => {
    const [data, shape] = candidate.input;
    const constant = constants.get(shape);
    // Constants have no batch.
    if (!isStandard(candidate, 'Reshape') || !constant || constants.has(data)) return candidate;
    const [batch, ...rest] = tensorValues(constant) ?? [];
    if (batch !== 1) return candidate;
    // 0 copies a length.
    const target = [0, ...rest];
    const name = `${shape!}:${target.join(',')}`;
    added.set(name, int64Tensor(name, target));
    return { ...candidate, input: candidate.input.with(1, name) };
  });
  return { ...graph, node, initializer: [...graph.initializer, ...added.values()] };
}
