import { nodeRefused, readFlag } from '../graph-attributes.ts';
import { constantAt, featureMapAt, type GraphOperator } from '../graph-operator.ts';

/** `Mean` over height and width. */
export const convertMean: GraphOperator = (node, inputs, writer) => {
  const { name, shape } = featureMapAt(node, inputs, 0);
  const { data } = constantAt(node, inputs, { index: 1, rank: 1 });
  const axes = Array.from(data, (axis) => (axis < 0 ? axis + 4 : axis)).sort((a, b) => a - b);
  if (axes.join() !== '1,2') throw nodeRefused(node, 'is not over height and width');
  const [batch, , , channels] = shape;
  const kept = readFlag(node, 'keep_dims');
  const pooled = writer.node(kept ? node.name : `${node.name}:pooled`, {
    opType: 'GlobalAveragePool',
    inputs: [name],
  });
  if (!kept) writer.node(node.name, { opType: 'Flatten', inputs: [pooled] });
  const result = kept ? [batch, 1, 1, channels] : [batch, channels];
  return { kind: 'activation', name: node.name, shape: result };
};
