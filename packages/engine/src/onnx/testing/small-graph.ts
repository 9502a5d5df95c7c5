import {
  type AttributeMessage,
  encodeModel,
  type GraphMessage,
  type NodeMessage,
  type TensorMessage,
  type ValueMessage,
} from '../model-proto.ts';
import { elementTypes } from '../tensor-values.ts';

type Attributes = Readonly<Record<string, number | readonly number[]>>;

export function node(
  opType: string,
  [output, ...input]: readonly [string, ...string[]],
  attributes: Attributes = {},
): NodeMessage {
  const attribute = Object.entries(attributes).map(([name, value]): AttributeMessage =>
    typeof value === 'number' ? { name, type: 2, i: value } : { name, type: 7, ints: [...value] },
  );
  return { opType, input, output: [output], attribute };
}

/** A float32 input or output. A dimension is a length, or the name of a free dimension. */
export function value(name: string, dims: readonly (number | string)[]): ValueMessage {
  const dim = dims.map((d) => (typeof d === 'number' ? { dimValue: d } : { dimParam: d }));
  return { name, type: { tensorType: { elemType: elementTypes.float32, shape: { dim } } } };
}

/** A tensor that stores its values in the list for its type. */
export function tensor(
  name: string,
  type: keyof typeof elementTypes,
  { dims, values }: { readonly dims: readonly number[]; readonly values: readonly number[] },
): TensorMessage {
  const list = { float32: 'floatData', int64: 'int64Data' } as const;
  const field = type === 'float32' || type === 'int64' ? list[type] : 'int32Data';
  return { name, dims: [...dims], dataType: elementTypes[type], [field]: [...values] };
}

export function weights(name: string, dims: readonly number[], fill = 0.5): TensorMessage {
  const length = dims.reduce((product, d) => product * d, 1);
  return tensor(name, 'float32', { dims, values: Array<number>(length).fill(fill) });
}

export function lengths(name: string, values: readonly number[]): TensorMessage {
  return tensor(name, 'int64', { dims: [values.length], values });
}

export function graph(parts: Partial<GraphMessage>): GraphMessage {
  return { name: 'small', node: [], initializer: [], input: [], output: [], ...parts };
}

/** A model with opset 21, the first with block-wise quantization. */
export function modelOf(parts: Partial<GraphMessage>): Uint8Array {
  return encodeModel({ irVersion: 10, opsetImport: [{ version: 21 }], graph: graph(parts) });
}
