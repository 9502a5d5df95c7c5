import { axisChannelsFirst } from '../channels-first.ts';
import { nodeRefused } from '../graph-attributes.ts';
import { activationAt, constantAt, type GraphOperator } from '../graph-operator.ts';

/** `ConcatV2` of computed values; the last input is the axis. */
export const convertConcat: GraphOperator = (node, inputs, writer) => {
  const parts = inputs.slice(0, -1).map((_, index) => activationAt(node, inputs, index));
  const [first] = parts;
  if (first === undefined) throw nodeRefused(node, 'joins nothing');
  const rank = first.shape.length;
  const [given] = constantAt(node, inputs, { index: parts.length, rank: 0 }).data;
  const axis = given! < 0 ? given! + rank : given!;
  const others = (shape: typeof first.shape) => shape.map((n, i) => (i === axis ? null : n)).join();
  const fitting = parts.every(({ shape }) => others(shape) === others(first.shape));
  if (!Number.isInteger(axis) || axis < 1 || axis >= rank || !fitting) {
    const shapes = parts.map(({ shape }) => `[${shape.join(', ')}]`).join(' and ');
    throw nodeRefused(node, `joins ${shapes} along axis ${axis}`);
  }
  writer.node(node.name, {
    opType: 'Concat',
    inputs: parts.map(({ name }) => name),
    attributes: { axis: axisChannelsFirst(axis, rank) },
  });
  const length = parts.reduce((sum, { shape }) => sum + shape[axis]!, 0);
  return { kind: 'activation', name: node.name, shape: first.shape.with(axis, length) };
};
