import type { FileRefused } from '@sightline/engine/onnx/file-refused';
import { nodeRefused } from './graph-attributes.ts';
import type { GraphNode } from './graph-model.ts';
import type { OnnxGraphWriter } from './onnx-graph-writer.ts';
import type { Activation, Constant, Value } from './value.ts';

/**
 * Converts a node to ONNX nodes. The last of them has the name of the node. The names of the others contain a colon, so
 * that they differ from the names of all nodes.
 *
 * @throws FileRefused if the variant of the operator is not supported
 */
export type GraphOperator = (
  node: GraphNode,
  inputs: readonly Value[],
  writer: OnnxGraphWriter,
) => Value;

/** An activation with four axes and known height, width and channels. */
export interface FeatureMap {
  readonly name: string;
  readonly shape: readonly [number | null, number, number, number];
}

/** An input of a node. @throws FileRefused unless the graph computes the input */
export function activationAt(node: GraphNode, inputs: readonly Value[], index: number): Activation {
  const value = inputs[index];
  if (value?.kind !== 'activation') throw wrongInput(node, index, 'no computed value');
  return value;
}

/** An input of a node. @throws FileRefused unless it is computed and has the axes [batch, height, width, channels] */
export function featureMapAt(node: GraphNode, inputs: readonly Value[], index: number): FeatureMap {
  const { name, shape } = activationAt(node, inputs, index);
  if (shape.length !== 4) throw wrongInput(node, index, 'no feature map');
  return { name, shape: shape as unknown as FeatureMap['shape'] };
}

/**
 * An input of a node.
 *
 * @param rank the required number of axes
 * @throws FileRefused unless the input is a constant of this rank
 */
export function constantAt(
  node: GraphNode,
  inputs: readonly Value[],
  { index, rank }: { readonly index: number; readonly rank: number },
): Constant {
  const value = inputs[index];
  if (value?.kind !== 'constant' || value.shape.length !== rank) {
    throw wrongInput(node, index, `no constant of rank ${rank}`);
  }
  return value;
}

function wrongInput(node: GraphNode, index: number, reason: string): FileRefused {
  return nodeRefused(node, `has ${reason} as input ${index}`);
}
