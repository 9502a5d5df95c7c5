import type { NodeMessage, TensorMessage } from '@sightline/engine/onnx/model-proto';
import { broadcast, type Extent, isVariable, merged, resampled, type Shape } from './extents.ts';
import { intAttribute, intsAttribute } from './node-attributes.ts';
import { tensorValues } from './tensor-values.ts';

/** An input of a node. */
export interface Operand {
  readonly shape: Shape;
  /** The value; absent unless the input is a constant. */
  readonly constant?: TensorMessage;
}

/**
 * Derives the shape of a node's first output from the shapes of its inputs.
 *
 * @param x the first input
 * @param others the other inputs; undefined for an omitted input. All are constants, except for the operators in {@link
 *   BROADCASTING}
 * @returns undefined if the operator mixes the members of a batch, or works for only one length of a free dimension
 */
export type Rule = (
  node: NodeMessage,
  x: Shape,
  others: readonly (Operand | undefined)[],
) => Shape | undefined;

/** The rule for element-wise operators. */
const unchanged: Rule = (_node, x) => x;

const broadcastWithSecond: Rule = (_node, x, [second]) => second && broadcast(x, second.shape);

/** The rule for convolutions, whose output has as many channels as there are kernels. */
const convolved: Rule = (_node, x, [weights]) => {
  const [channels] = weights?.shape ?? [];
  return isImage(x) && channels !== undefined
    ? [x[0]!, channels, ...x.slice(2).map(resampled)]
    : undefined;
};

const pooled: Rule = (_node, x) =>
  isImage(x) ? [x[0]!, x[1]!, ...x.slice(2).map(resampled)] : undefined;

/** The rule for global pooling. Height and width stay fixed, because such a network was trained for one size. */
const pooledWhole: Rule = (_node, x) =>
  isImage(x) && !x.includes('free') ? [x[0]!, x[1]!, ...x.slice(2).map(() => 1)] : undefined;

/** The rule for BatchNormalization. A node in training mode, which has several outputs, is not supported. */
const normalized: Rule = (node, x) => {
  const trained = intAttribute(node, 'training_mode', 0) !== 0 || node.output.length > 1;
  return !trained && isImage(x) ? x : undefined;
};

const dropout: Rule = (_node, x, [, training]) => (training === undefined ? x : undefined);

const transposed: Rule = (node, x) => {
  const order = intsAttribute(node, 'perm') ?? x.map((_, axis) => x.length - 1 - axis);
  const shape = order.map((axis) => x[axis]);
  return shape.every((extent) => extent !== undefined) ? shape : undefined;
};

const flattened: Rule = (node, x) => {
  const [first, ...rest] = x;
  const joined = merged(rest);
  const split = intAttribute(node, 'axis', 1) === 1 && first !== undefined;
  return split && joined !== undefined ? [first, joined] : undefined;
};

/** The rule for matrix products. Each row is a member of the batch, and the weights fix the length of the rows. */
const multiplied: Rule = (node, x, [weights, bias]) => {
  const [rows, length, ...more] = x;
  const columns = weights?.shape[intAttribute(node, 'transB', 0) === 0 ? 1 : 0];
  const plain = intAttribute(node, 'transA', 0) === 0 && more.length === 0;
  if (!plain || rows === undefined || isVariable(length) || columns === undefined) return undefined;
  return broadcast([rows, columns], bias?.shape ?? []);
};

/** The rule for Resize. Only factors are allowed, because a fixed target size fits only one size of the input. */
const resized: Rule = (node, x, [, scales, sizes]) => {
  const factors = scales?.constant && tensorValues(scales.constant);
  const byAxes = intsAttribute(node, 'axes') !== undefined;
  if (factors?.length !== x.length || sizes !== undefined || byAxes) return undefined;
  if (x.some((extent, axis) => extent === 'batch' && factors[axis] !== 1)) return undefined;
  return x.map((extent, axis): Extent => (factors[axis] === 1 ? extent : resampled(extent)));
};

/** Whether a shape has a batch, channels, and one or more spatial dimensions. */
function isImage(x: Shape): boolean {
  const [first, channels, ...space] = x;
  return (
    first !== 'free' && channels !== undefined && !isVariable(channels) && !space.includes('batch')
  );
}

/** The operators of which several inputs may depend on the graph's input. */
export const BROADCASTING: ReadonlySet<string> = new Set(['Add', 'Sub', 'Mul', 'Div']);

const ELEMENTWISE = [
  'Clip',
  'Elu',
  'Exp',
  'HardSigmoid',
  'HardSwish',
  'Identity',
  'LeakyRelu',
  'Relu',
  'Sigmoid',
  'Sqrt',
  'Tanh',
];

/** The rules of the operators of convolutional networks. Any other operator may require fixed dimensions. */
export const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...ELEMENTWISE.map((opType) => [opType, unchanged] as const),
  ...[...BROADCASTING, 'PRelu'].map((opType) => [opType, broadcastWithSecond] as const),
  ['AveragePool', pooled],
  ['BatchNormalization', normalized],
  ['Conv', convolved],
  ['Dropout', dropout],
  ['Flatten', flattened],
  ['Gemm', multiplied],
  ['GlobalAveragePool', pooledWhole],
  ['MaxPool', pooled],
  ['Resize', resized],
  ['Transpose', transposed],
]);
