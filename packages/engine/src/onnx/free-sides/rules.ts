import { intAttribute } from '../node-attributes.ts';
import { broadcast } from './broadcast.ts';
import { isVariable } from './extents.ts';
import {
  concatenated,
  multiplied,
  resized,
  sliced,
  softmax,
  split,
  transposed,
} from './layout-rules.ts';
import type { Rule } from './operand.ts';
import { reshaped } from './reshape.ts';
import { convolved, pooled } from './windows.ts';

/**
 * The rule for operators that treat each value on its own. Their parameters are single values, or lists with a value for
 * each index of an axis, which must be fixed.
 */
const elementwise: Rule = ({ inputs: [x, ...parameters], node }) => {
  if (x === undefined || node.output.length !== 1) return undefined;
  const axis = intAttribute(node, 'axis', 1);
  const extent = x.shape.at(axis);
  const isFixed = extent !== undefined && !isVariable(extent);
  const fit = parameters.every((each) => each === undefined || each.shape.length === 0 || isFixed);
  return fit ? { shapes: [x.shape] } : undefined;
};

/** The quantized values, their scale and their zero point. The scale depends on all values, including the padding. */
const quantized: Rule = ({ inputs: [x] }) => x && { shapes: [x.shape, [], []] };

const ELEMENTWISE = [
  'Cast',
  'Clip',
  'DequantizeLinear',
  'Elu',
  'Erf',
  'Exp',
  'HardSigmoid',
  'HardSwish',
  'Identity',
  'LeakyRelu',
  'Mish',
  'QuantizeLinear',
  'Relu',
  'Sigmoid',
  'Softplus',
  'Sqrt',
  'Tanh',
];
const BROADCASTING = ['Add', 'Div', 'Mul', 'Pow', 'Sub'];

/** The rules of the operators of YOLO networks. Any other operator may require a fixed size. */
export const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...ELEMENTWISE.map((opType) => [opType, elementwise] as const),
  ...BROADCASTING.map((opType) => [opType, broadcast] as const),
  ['BatchNormalization', elementwise],
  ['Concat', concatenated],
  ['Conv', convolved],
  ['ConvInteger', convolved],
  ['DynamicQuantizeLinear', quantized],
  ['MatMul', multiplied],
  ['AveragePool', pooled],
  ['MaxPool', pooled],
  ['Reshape', reshaped],
  ['Resize', resized],
  ['Slice', sliced],
  ['Softmax', softmax],
  ['Split', split],
  ['Transpose', transposed],
]);
