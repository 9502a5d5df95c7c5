import type { FileRefused } from '@sightline/engine/onnx/file-refused';
import { nodeRefused } from './graph-attributes.ts';
import type { GraphNode } from './graph-model.ts';
import type { OnnxGraphWriter } from './onnx-graph-writer.ts';
import type { Activation, Constant, Value } from './value.ts';

/**
 * Writes what a node computes into the ONNX graph. The result's name there is the node's own;
 * names of what is added beside it go on with a colon, which no node's name has.
 *
 * @throws FileRefused if the node is not of the kind that is converted
 */
export type GraphOperator = (
  node: GraphNode,
  inputs: readonly Value[],
  writer: OnnxGraphWriter,
) => Value;

/** An activation of four axes whose height, width and channels are known. */
export interface FeatureMap {
  readonly name: string;
  readonly shape: readonly [number | null, number, number, number];
}

/** The input of a node that has to be computed. */
export function activationAt(node: GraphNode, inputs: readonly Value[], index: number): Activation {
  const value = inputs[index];
  if (value?.kind !== 'activation') throw wrongInput(node, index, 'no computed value');
  return value;
}

/** The input of a node that has to be [batch, height, width, channels]. */
export function featureMapAt(node: GraphNode, inputs: readonly Value[], index: number): FeatureMap {
  const { name, shape } = activationAt(node, inputs, index);
  if (shape.length !== 4) throw wrongInput(node, index, 'no feature map');
  return { name, shape: shape as unknown as FeatureMap['shape'] };
}

/** The input of a node that has to be constant. @param rank how many axes it must have */
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
