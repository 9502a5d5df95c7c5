import type { TensorMessage } from './model-proto.ts';

/** The supported element types, with their numbers in `TensorProto.DataType`. */
export const elementTypes = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7 } as const;

interface Encoding {
  /** The number of bytes per value in `rawData`. */
  readonly width: number;
  readonly read: (view: DataView, at: number) => number;
  /** Selects the field with the values if `rawData` is empty. */
  readonly list: (tensor: TensorMessage) => readonly number[] | undefined;
}

const ENCODINGS: ReadonlyMap<number, Encoding> = new Map([
  [
    elementTypes.float32,
    { width: 4, read: (view, at) => view.getFloat32(at, true), list: (t) => t.floatData },
  ],
  [elementTypes.uint8, { width: 1, read: (view, at) => view.getUint8(at), list: int32Data }],
  [elementTypes.int8, { width: 1, read: (view, at) => view.getInt8(at), list: int32Data }],
  [elementTypes.int32, { width: 4, read: (view, at) => view.getInt32(at, true), list: int32Data }],
  [
    elementTypes.int64,
    { width: 8, read: (view, at) => Number(view.getBigInt64(at, true)), list: (t) => t.int64Data },
  ],
] satisfies [number, Encoding][]);

/**
 * The values in row-major order. They are exact, except for integers beyond 2^53.
 *
 * @returns undefined if the element type is not one of {@link elementTypes}, or the number of
 *   values does not match the dimensions
 */
export function tensorValues(tensor: TensorMessage): Float64Array | undefined {
  const encoding = ENCODINGS.get(tensor.dataType);
  if (encoding === undefined) return undefined;
  const values = tensor.rawData?.length
    ? readRaw(tensor.rawData, encoding)
    : Float64Array.from(encoding.list(tensor) ?? []);
  return values.length === product(tensor.dims) ? values : undefined;
}

/** A float32 tensor with values in row-major order. */
export function floatTensor(
  name: string,
  dims: readonly number[],
  values: ArrayLike<number>,
): TensorMessage {
  const rawData = new Uint8Array(4 * values.length);
  const view = new DataView(rawData.buffer);
  for (let index = 0; index < values.length; index++) {
    view.setFloat32(4 * index, values[index]!, true);
  }
  return { name, dims: [...dims], dataType: elementTypes.float32, rawData };
}

export function int64Tensor(name: string, values: readonly number[]): TensorMessage {
  return { name, dims: [values.length], dataType: elementTypes.int64, int64Data: [...values] };
}

export function product(numbers: readonly number[]): number {
  return numbers.reduce((result, number) => result * number, 1);
}

function readRaw(raw: Uint8Array, { width, read }: Encoding): Float64Array {
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  const values = new Float64Array(Math.floor(raw.length / width));
  for (let index = 0; index < values.length; index++) values[index] = read(view, index * width);
  return values;
}

function int32Data(tensor: TensorMessage): readonly number[] | undefined {
  return tensor.int32Data;
}
