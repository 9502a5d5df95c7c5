import type { GraphOperator } from './graph-operator.ts';
import { convertAdd, convertMul } from './operators/arithmetic.ts';
import { convertMaximum, convertMinimum, convertRelu, convertRelu6 } from './operators/clip.ts';
import { convertConcat } from './operators/concat.ts';
import { convertConvolution, convertDepthwiseConvolution } from './operators/convolution.ts';
import { convertMatrixProduct } from './operators/matrix-product.ts';
import { convertMean } from './operators/mean.ts';
import { convertResizeBilinear } from './operators/resize.ts';
import { convertIdentity, convertSigmoid, convertSoftmax } from './operators/unary.ts';

/** The supported TensorFlow operators by name: only those that the published networks use. */
export const GRAPH_OPERATORS: ReadonlyMap<string, GraphOperator> = new Map([
  ['Add', convertAdd],
  ['ConcatV2', convertConcat],
  ['Conv2D', convertConvolution],
  ['DepthwiseConv2dNative', convertDepthwiseConvolution],
  ['FusedDepthwiseConv2dNative', convertDepthwiseConvolution],
  ['Identity', convertIdentity],
  ['Maximum', convertMaximum],
  ['Mean', convertMean],
  ['Minimum', convertMinimum],
  ['Mul', convertMul],
  ['Relu', convertRelu],
  ['Relu6', convertRelu6],
  ['ResizeBilinear', convertResizeBilinear],
  ['Sigmoid', convertSigmoid],
  ['Softmax', convertSoftmax],
  ['_FusedConv2D', convertConvolution],
  ['_FusedMatMul', convertMatrixProduct],
]);
