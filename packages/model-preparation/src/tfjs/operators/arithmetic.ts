import { nodeRefused } from '../graph-attributes.ts';
import { channelsFirst, constantChannelsFirst } from '../channels-first.ts';
import type { GraphNode } from '../graph-model.ts';
import type { GraphOperator } from '../graph-operator.ts';
import type { OnnxGraphWriter } from '../onnx-graph-writer.ts';
import type { Activation, Constant, Length, Value } from '../value.ts';

export const convertAdd: GraphOperator = (node, inputs, writer) =>
  combine(node, inputs, { opType: 'Add', writer });

export const convertMul: GraphOperator = (node, inputs, writer) =>
  combine(node, inputs, { opType: 'Mul', writer });

/** Combines two computed values of the same rank, or a computed value and a constant of at most the same rank. */
function combine(
  node: GraphNode,
  inputs: readonly Value[],
  { opType, writer }: { readonly opType: string; readonly writer: OnnxGraphWriter },
): Activation {
  const [a, b] = inputs;
  if (inputs.length !== 2 || a === undefined || b === undefined) {
    throw nodeRefused(node, `has ${inputs.length} inputs`);
  }
  const shape = broadcast(node, a.shape, b.shape);
  const names = [a, b].map((value, index) => {
    if (value.kind === 'constant') {
      return writeConstant(value, { name: `${node.name}:${index}`, rank: shape.length, writer });
    }
    if (value.shape.length === shape.length) return value.name;
    throw nodeRefused(node, `combines ${a.shape.length} and ${b.shape.length} axes`);
  });
  if (a.kind === b.kind && a.kind === 'constant') throw nodeRefused(node, 'computes a constant');
  writer.node(node.name, { opType, inputs: names });
  return { kind: 'activation', name: node.name, shape };
}

/** The shape after broadcasting, which repeats missing axes and axes of length 1. */
function broadcast(node: GraphNode, a: readonly Length[], b: readonly Length[]): Length[] {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, axis) => {
    return lengthOf(a.at(axis - rank), b.at(axis - rank));
  });

  function lengthOf(one: Length = 1, other: Length = 1): Length {
    if (one === other || other === 1) return one;
    if (one === 1) return other;
    throw nodeRefused(node, `combines the shapes [${a.join(', ')}] and [${b.join(', ')}]`);
  }
}

/** Writes a constant in the layout of an activation with `rank` axes. */
function writeConstant(
  constant: Constant,
  to: { readonly name: string; readonly rank: number; readonly writer: OnnxGraphWriter },
): string {
  const { shape, data } = constant;
  // Only beside an activation with four axes do the axes of a constant change their order. A scalar has no axes.
  if (to.rank !== 4 || shape.length === 0) return to.writer.floats(to.name, shape, data);
  const padded = [...Array<number>(4 - shape.length).fill(1), ...shape];
  return to.writer.floats(to.name, channelsFirst(padded), constantChannelsFirst(padded, data));
}
