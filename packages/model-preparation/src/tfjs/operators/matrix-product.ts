import { nodeRefused, readFlag } from '../graph-attributes.ts';
import { activationAt, constantAt, type GraphOperator } from '../graph-operator.ts';
import { applyFused, biasName, fusedOperations } from './fused-operations.ts';

/** `_FusedMatMul` of [batch, inputs] and a constant [inputs, outputs]. */
export const convertMatrixProduct: GraphOperator = (node, inputs, writer) => {
  const rows = activationAt(node, inputs, 0);
  const matrix = constantAt(node, inputs, { index: 1, rank: 2 });
  if (readFlag(node, 'transpose_a') || readFlag(node, 'transpose_b')) {
    throw nodeRefused(node, 'transposes');
  }
  const [height, width] = matrix.shape as [number, number];
  if (rows.shape.length !== 2 || rows.shape[1] !== height) {
    throw nodeRefused(node, `multiplies [${rows.shape.join(', ')}] and [${height}, ${width}]`);
  }
  const fused = fusedOperations(node);
  const weights = writer.floats(`${node.name}:weights`, matrix.shape, matrix.data);
  const bias = biasName(node, inputs, { fused, length: width, writer });
  const operation = { opType: 'Gemm', inputs: [rows.name, weights, ...bias] };
  return applyFused(node, { fused, operation, shape: [rows.shape[0]!, width] }, writer);
};
