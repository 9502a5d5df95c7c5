import { nodeRefused } from '../graph-attributes.ts';
import type { GraphNode } from '../graph-model.ts';
import { activationAt, type GraphOperator } from '../graph-operator.ts';
import type { OnnxGraphWriter } from '../onnx-graph-writer.ts';
import type { Activation, Value } from '../value.ts';

interface Bounds {
  readonly min: number;
  readonly max: number;
}

export const convertRelu: GraphOperator = (node, inputs, writer) =>
  clip(node, { value: activationAt(node, inputs, 0), min: 0, max: Infinity }, writer);

export const convertRelu6: GraphOperator = (node, inputs, writer) =>
  clip(node, { value: activationAt(node, inputs, 0), min: 0, max: 6 }, writer);

export const convertMinimum: GraphOperator = (node, inputs, writer) => {
  const { value, number } = valueAndNumber(node, inputs);
  return clip(node, { value, min: -Infinity, max: number }, writer);
};

export const convertMaximum: GraphOperator = (node, inputs, writer) => {
  const { value, number } = valueAndNumber(node, inputs);
  return clip(node, { value, min: number, max: Infinity }, writer);
};

/** Combines a chain of bounds into one node, because onnxruntime can fuse that node with the preceding convolution. */
function clip(
  node: GraphNode,
  { value, ...bounds }: { readonly value: Activation } & Bounds,
  writer: OnnxGraphWriter,
): Activation {
  const before = value.clipped ?? { of: value.name, min: -Infinity, max: Infinity };
  const min = Math.min(Math.max(before.min, bounds.min), bounds.max);
  const max = Math.min(Math.max(before.max, bounds.min), bounds.max);
  if (min === 0 && max === Infinity) {
    writer.node(node.name, { opType: 'Relu', inputs: [before.of] });
  } else {
    const inputs = [before.of, bound(`${node.name}:min`, min), bound(`${node.name}:max`, max)];
    writer.node(node.name, { opType: 'Clip', inputs });
  }
  return { ...value, name: node.name, clipped: { of: before.of, min, max } };

  function bound(name: string, limit: number): string {
    return Number.isFinite(limit) ? writer.floats(name, [], [limit]) : '';
  }
}

function valueAndNumber(
  node: GraphNode,
  inputs: readonly Value[],
): { readonly value: Activation; readonly number: number } {
  const [value] = inputs.filter((input) => input.kind === 'activation');
  const [number] = inputs.filter((input) => input.kind === 'constant');
  if (inputs.length !== 2 || value === undefined || number?.data.length !== 1) {
    throw nodeRefused(node, 'does not compare a computed value with one number');
  }
  return { value, number: number.data[0]! };
}
