import { nodeRefused, readTexts } from '../graph-attributes.ts';
import type { GraphNode } from '../graph-model.ts';
import { constantAt } from '../graph-operator.ts';
import type { OnnxGraphWriter } from '../onnx-graph-writer.ts';
import type { Activation, Length, Value } from '../value.ts';

/** The operations that a fused node applies to its result. */
export interface FusedOperations {
  readonly bias: boolean;
  readonly relu: boolean;
}

/**
 * Reads the fused operations of a node.
 *
 * @throws FileRefused if they are not a bias, a ReLU, or a bias followed by a ReLU
 */
export function fusedOperations(node: GraphNode): FusedOperations {
  if (node.attr.fused_ops === undefined) return { bias: false, relu: false };
  const names = readTexts(node, 'fused_ops');
  const known = ['BiasAdd', 'Relu'].filter((name) => names.includes(name));
  if (names.join() !== known.join()) throw nodeRefused(node, `fuses ${names.join(', ')}`);
  return { bias: names.includes('BiasAdd'), relu: names.includes('Relu') };
}

/**
 * Writes a node's bias.
 *
 * @returns a list with the name of the bias; empty if the node has none
 */
export function biasName(
  node: GraphNode,
  inputs: readonly Value[],
  to: {
    readonly fused: FusedOperations;
    /** The required length of the bias. */
    readonly length: number;
    readonly writer: OnnxGraphWriter;
  },
): string[] {
  if (!to.fused.bias) return [];
  const { data } = constantAt(node, inputs, { index: 2, rank: 1 });
  if (data.length !== to.length) throw nodeRefused(node, `has a bias of ${data.length} values`);
  return [to.writer.floats(`${node.name}:bias`, [data.length], data)];
}

/** Writes an operation that includes the bias, and then the fused ReLU. */
export function applyFused(
  node: GraphNode,
  result: {
    readonly fused: FusedOperations;
    readonly operation: Parameters<OnnxGraphWriter['node']>[1];
    readonly shape: readonly Length[];
  },
  writer: OnnxGraphWriter,
): Activation {
  const { fused, operation, shape } = result;
  const name = writer.node(fused.relu ? `${node.name}:linear` : node.name, operation);
  if (fused.relu) writer.node(node.name, { opType: 'Relu', inputs: [name] });
  return { kind: 'activation', name: node.name, shape };
}
