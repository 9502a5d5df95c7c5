import { axisChannelsFirst } from '../channels-first.ts';
import { nodeRefused } from '../graph-attributes.ts';
import { activationAt, type GraphOperator } from '../graph-operator.ts';

export const convertSigmoid: GraphOperator = (node, inputs, writer) => {
  const { name, shape } = activationAt(node, inputs, 0);
  writer.node(node.name, { opType: 'Sigmoid', inputs: [name] });
  return { kind: 'activation', name: node.name, shape };
};

/** `Softmax` over the last axis in TensorFlow's order. */
export const convertSoftmax: GraphOperator = (node, inputs, writer) => {
  const { name, shape } = activationAt(node, inputs, 0);
  const axis = axisChannelsFirst(shape.length - 1, shape.length);
  writer.node(node.name, { opType: 'Softmax', inputs: [name], attributes: { axis } });
  return { kind: 'activation', name: node.name, shape };
};

/** Converts `Identity`, which writes no node: the value keeps its name. */
export const convertIdentity: GraphOperator = (node, inputs) => {
  const [value] = inputs;
  if (value === undefined) throw nodeRefused(node, 'has no input');
  return value;
};
