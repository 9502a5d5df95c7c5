import { FileRefused } from './file-refused.ts';
import { modelType } from './onnx-schema.ts';

/**
 * An ONNX model as a message, to be changed and written: the counterpart of `OnnxModel`, which is
 * read only and leaves the weights out. Fields are those of onnx.proto in camel case; what a message
 * does not set is absent.
 */
export interface ModelMessage {
  irVersion: number;
  opsetImport: { domain?: string; version: number }[];
  producerName?: string;
  graph: GraphMessage;
  metadataProps?: { key: string; value: string }[];
}

export interface GraphMessage {
  name?: string;
  node: NodeMessage[];
  initializer: TensorMessage[];
  sparseInitializer?: { values?: TensorMessage; indices?: TensorMessage; dims?: number[] }[];
  input: ValueMessage[];
  output: ValueMessage[];
  /** Types and shapes of the values between; free to be left out. */
  valueInfo?: ValueMessage[];
}

export interface NodeMessage {
  name?: string;
  opType: string;
  domain?: string;
  input: string[];
  output: string[];
  attribute?: AttributeMessage[];
}

/** One value of one of these kinds; `type` says which, by AttributeProto.AttributeType. */
export interface AttributeMessage {
  name: string;
  /** 1 float, 2 int, 3 string, 4 tensor, 5 graph, 6 floats, 7 ints, 8 strings. */
  type: number;
  f?: number;
  i?: number;
  s?: Uint8Array;
  t?: TensorMessage;
  g?: GraphMessage;
  graphs?: GraphMessage[];
  floats?: number[];
  ints?: number[];
  strings?: Uint8Array[];
}

export interface TensorMessage {
  name?: string;
  dims: number[];
  /** TensorProto.DataType: 1 float32, 3 int8, 6 int32, 7 int64, 10 float16, ... */
  dataType: number;
  /** Little-endian, in row-major order; stands instead of the lists below. */
  rawData?: Uint8Array;
  floatData?: number[];
  int32Data?: number[];
  int64Data?: number[];
}

export interface ValueMessage {
  name: string;
  type?: {
    tensorType?: {
      elemType: number;
      shape?: { dim: { dimValue?: number; dimParam?: string }[] };
    };
  };
}

/**
 * Reads a whole model. The weights stay views of the bytes given; lists that a message leaves out are
 * there, and empty. What this schema does not know, a model written again does not have. Integers
 * beyond 2^53 are rounded; the largest of all, which means "to the end", stays what it is.
 *
 * @throws FileRefused if it is no ONNX model
 */
export function decodeModel(bytes: Uint8Array): ModelMessage {
  const model = decode(bytes);
  if (model.graph === undefined || model.irVersion === undefined || model.irVersion < 1) {
    throw new FileRefused('is not an ONNX model');
  }
  return model as ModelMessage;
}

function decode(bytes: Uint8Array): Partial<ModelMessage> {
  try {
    return modelType.toObject(modelType.decode(bytes), { longs: Number, arrays: true });
  } catch (error) {
    throw new FileRefused('is not an ONNX model, or only a part of one', { cause: error });
  }
}

/** The bytes of a model file: the same for the same message, on every machine. */
export function encodeModel(model: ModelMessage): Uint8Array {
  return modelType.encode(modelType.fromObject(model)).finish();
}
