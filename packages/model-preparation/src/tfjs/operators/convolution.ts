import { nodeRefused, readSpatialPair, readText } from '../graph-attributes.ts';
import type { GraphNode } from '../graph-model.ts';
import {
  constantAt,
  type FeatureMap,
  featureMapAt,
  type GraphOperator,
} from '../graph-operator.ts';
import type { Constant, Value } from '../value.ts';
import { placeWindow, type WindowPlacement } from '../window-geometry.ts';
import { applyFused, biasName, fusedOperations } from './fused-operations.ts';

interface Kernel {
  readonly height: number;
  readonly width: number;
  readonly outputs: number;
  readonly groups: number;
  /** The weights in row-major order, with the axes [outputs, inputs per group, height, width]. */
  readonly weights: Float32Array;
}

/** `Conv2D` and `_FusedConv2D`. */
export const convertConvolution: GraphOperator = (node, inputs, writer) =>
  convolve(node, inputs, { writer, readKernel: denseKernel });

/** `DepthwiseConv2dNative` and `FusedDepthwiseConv2dNative`. */
export const convertDepthwiseConvolution: GraphOperator = (node, inputs, writer) =>
  convolve(node, inputs, { writer, readKernel: depthwiseKernel });

function convolve(
  node: GraphNode,
  inputs: readonly Value[],
  { writer, readKernel }: { writer: Parameters<GraphOperator>[2]; readKernel: typeof denseKernel },
): Value {
  const input = featureMapAt(node, inputs, 0);
  const kernel = readKernel(constantAt(node, inputs, { index: 1, rank: 4 }));
  const inputsPerGroup = kernel.weights.length / kernel.outputs / kernel.height / kernel.width;
  if (inputsPerGroup * kernel.groups !== input.shape[3]) {
    throw nodeRefused(node, `has a kernel for other than ${input.shape[3]} channels`);
  }
  const strides = readSpatialPair(node, 'strides');
  const [rows, columns] = placeKernel(node, input, { kernel, strides });
  const fused = fusedOperations(node);
  const conv = {
    opType: 'Conv',
    inputs: [
      input.name,
      writer.floats(
        `${node.name}:weights`,
        [kernel.outputs, inputsPerGroup, kernel.height, kernel.width],
        kernel.weights,
      ),
      ...biasName(node, inputs, { fused, length: kernel.outputs, writer }),
    ],
    attributes: {
      group: kernel.groups,
      kernel_shape: [kernel.height, kernel.width],
      pads: [rows.before, columns.before, rows.after, columns.after],
      strides,
    },
  };
  const shape = [input.shape[0], rows.count, columns.count, kernel.outputs];
  return applyFused(node, { fused, operation: conv, shape }, writer);
}

/** Converts a kernel from [height, width, inputs, outputs]. */
function denseKernel({ shape, data }: Constant): Kernel {
  const [height, width, ins, outputs] = shape as [number, number, number, number];
  const weights = new Float32Array(data.length);
  for (let position = 0, at = 0; position < height * width; position++) {
    for (let input = 0; input < ins; input++) {
      for (let output = 0; output < outputs; output++, at++) {
        weights[(output * ins + input) * height * width + position] = data[at]!;
      }
    }
  }
  return { height, width, outputs, groups: 1, weights };
}

/** Converts a kernel from [height, width, inputs, multiplier]. The outputs of the same input are adjacent. */
function depthwiseKernel({ shape, data }: Constant): Kernel {
  const [height, width, ins, multiplier] = shape as [number, number, number, number];
  const asDense = { shape: [height, width, 1, ins * multiplier], data, kind: 'constant' } as const;
  return { ...denseKernel(asDense), groups: ins };
}

function placeKernel(
  node: GraphNode,
  { shape: [, height, width] }: FeatureMap,
  { kernel, strides }: { readonly kernel: Kernel; readonly strides: readonly [number, number] },
): [WindowPlacement, WindowPlacement] {
  const padding = readText(node, 'padding');
  if (padding !== 'SAME' && padding !== 'VALID') throw nodeRefused(node, `pads by ${padding}`);
  if (readText(node, 'data_format') !== 'NHWC') throw nodeRefused(node, 'is not laid out as NHWC');
  if (readSpatialPair(node, 'dilations').some((gap) => gap !== 1)) {
    throw nodeRefused(node, 'is dilated');
  }
  const rows = placeWindow(height, { extent: kernel.height, stride: strides[0] }, padding);
  const columns = placeWindow(width, { extent: kernel.width, stride: strides[1] }, padding);
  if (rows.count < 1 || columns.count < 1) {
    throw nodeRefused(node, `has a kernel larger than ${width}x${height}`);
  }
  return [rows, columns];
}
