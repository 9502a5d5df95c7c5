import type { NodeMessage, TensorMessage } from '@sightline/engine/onnx/model-proto';
import { broadcast, type Extent, isVariable, merged, resampled, type Shape } from './extents.ts';
import { intAttribute, intsAttribute } from './node-attributes.ts';
import { tensorValues } from './tensor-values.ts';

/** An input of a node; `constant` is set if it is a constant. */
export interface Operand {
  readonly shape: Shape;
  readonly constant?: TensorMessage;
}

/**
 * Derives the shape of a node's first output from those of its inputs. Undefined if the operator
 * mixes the members of a batch, or works for only one length of a free dimension.
 *
 * @param x the first input
 * @param others the other inputs; undefined for an omitted one. All are constants, except for the
 *   operators in {@link BROADCASTING}
 */
export type Rule = (
  node: NodeMessage,
  x: Shape,
  others: readonly (Operand | undefined)[],
) => Shape | undefined;

/** Element-wise operators. */
const unchanged: Rule = (_node, x) => x;

const broadcastWithSecond: Rule = (_node, x, [second]) => second && broadcast(x, second.shape);

/** The output has as many channels as there are kernels. */
const convolved: Rule = (_node, x, [weights]) => {
  const [channels] = weights?.shape ?? [];
  return isImage(x) && channels !== undefined
    ? [x[0]!, channels, ...x.slice(2).map(resampled)]
    : undefined;
};

const pooled: Rule = (_node, x) =>
  isImage(x) ? [x[0]!, x[1]!, ...x.slice(2).map(resampled)] : undefined;

/** A network that pools the whole image was made for one size, so its height and width stay fixed. */
const pooledWhole: Rule = (_node, x) =>
  isImage(x) && !x.includes('free') ? [x[0]!, x[1]!, ...x.slice(2).map(() => 1)] : undefined;

/** The shape stays the same; a node with several outputs is in training mode and not supported. */
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

/** Each row is a member of the batch, and the weights fix its length. */
const multiplied: Rule = (node, x, [weights, bias]) => {
  const [rows, length, ...more] = x;
  const columns = weights?.shape[intAttribute(node, 'transB', 0) === 0 ? 1 : 0];
  const plain = intAttribute(node, 'transA', 0) === 0 && more.length === 0;
  if (!plain || rows === undefined || isVariable(length) || columns === undefined) return undefined;
  return broadcast([rows, columns], bias?.shape ?? []);
};

/** Allows resizing only by factors, because a fixed target size fits only one size of the input. */
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

/** Operators whose inputs may all depend on the graph's input. */
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

/** The operators of convolutional networks. Any other operator may require fixed dimensions. */
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
