import type { GraphModelFiles } from '../convert-graph-model.ts';

/** The values of a tensor in row-major order. */
export interface HandMadeWeights {
  readonly shape: readonly number[];
  readonly values: readonly number[];
  /** The data type; by default float32. */
  readonly dtype?: 'int32';
}

export interface HandMadeNode {
  readonly op: string;
  readonly input: readonly string[];
  readonly attr?: Readonly<Record<string, object>>;
}

export interface HandMadeGraph {
  /** The shape of the placeholder `x`; -1 is a free length. */
  readonly x: readonly number[];
  readonly weights?: Readonly<Record<string, HandMadeWeights>>;
  readonly nodes: Readonly<Record<string, HandMadeNode>>;
}

/** The files of a graph model with one placeholder. */
export function handMadeGraph({ x, weights = {}, nodes }: HandMadeGraph): GraphModelFiles {
  const entries = Object.entries(weights);
  const model = {
    format: 'graph-model',
    modelTopology: {
      node: [
        {
          name: 'x',
          op: 'Placeholder',
          attr: {
            dtype: { type: 'DT_FLOAT' },
            shape: { shape: { dim: x.map((size) => ({ size: String(size) })) } },
          },
        },
        ...entries.map(([name, { dtype }]) => ({
          name,
          op: 'Const',
          attr: { dtype: { type: dtype === 'int32' ? 'DT_INT32' : 'DT_FLOAT' } },
        })),
        ...Object.entries(nodes).map(([name, node]) => ({ name, ...node })),
      ],
      library: {},
      versions: {},
    },
    weightsManifest: [
      {
        paths: ['weights.bin'],
        weights: entries.map(([name, { shape, dtype = 'float32' }]) => ({ name, shape, dtype })),
      },
    ],
  };
  return {
    model: new TextEncoder().encode(JSON.stringify(model)),
    weights: Buffer.concat(entries.map(([, tensor]) => bytesOf(tensor))),
  };
}

/** An attribute in the JSON form of protocol buffers. */
export const text = (value: string) => ({ s: base64(value) });
export const texts = (...values: string[]) => ({ list: { s: values.map(base64) } });
export const integers = (...values: number[]) => ({ list: { i: values.map(String) } });
export const flag = (value: boolean) => ({ b: value });

function base64(value: string): string {
  return Buffer.from(value).toString('base64');
}

function bytesOf({ values, dtype }: HandMadeWeights): Uint8Array {
  const numbers = dtype === 'int32' ? Int32Array.from(values) : Float32Array.from(values);
  return new Uint8Array(numbers.buffer);
}
export const integer = (value: number) => ({ i: String(value) });

/** Irregular, reproducible numbers in -1..1. */
export function numbers(count: number, seed = 1): number[] {
  return Array.from({ length: count }, (_, i) => Math.sin(12.9898 * (i + seed) + (i % 7) * seed));
}

export function weights(shape: readonly number[], seed = 1): HandMadeWeights {
  return {
    shape,
    values: numbers(
      shape.reduce((a, b) => a * b, 1),
      seed,
    ),
  };
}

/** An int32 list, as used for axes and sizes. */
export const axis = (...values: number[]): HandMadeWeights => ({
  shape: [values.length],
  values,
  dtype: 'int32',
});
export const number = (value: number): HandMadeWeights => ({ shape: [], values: [value] });

/** Attributes of a convolution. */
export const moving = (padding: 'SAME' | 'VALID', stride = 1): HandMadeNode['attr'] => ({
  padding: text(padding),
  strides: integers(1, stride, stride, 1),
  dilations: integers(1, 1, 1, 1),
  data_format: text('NHWC'),
});

/** A graph with the node `y` under test. */
export function graph(
  y: HandMadeNode,
  rest: Partial<Omit<HandMadeGraph, 'nodes'>> & { nodes?: HandMadeGraph['nodes'] } = {},
): HandMadeGraph {
  return { x: [1, 7, 10, 3], ...rest, nodes: { ...rest.nodes, y } };
}
