import { FileRefused } from './file-refused.ts';
import { modelType } from './onnx-schema.ts';

/**
 * An ONNX model as a mutable message that can be written again. (`OnnxModel` is the read-only
 * counterpart without weights.) Fields have the names of onnx.proto in camel case. Unset fields are
 * absent.
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
  /** The types and shapes of intermediate values; optional. */
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

/** A value of one of the kinds below. `type` states the kind, by AttributeProto.AttributeType. */
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
  /** Little-endian bytes in row-major order. If they are set, the lists below are absent. */
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
 * Decodes a whole model. The weights are views of the given bytes, and absent lists become empty.
 * Fields that this schema does not know are lost when the model is written again. Integers beyond
 * 2^53 are rounded, except the largest int64, which means "to the end" and is preserved.
 *
 * @throws FileRefused if the bytes are not an ONNX model
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
    throw new FileRefused('is not an ONNX model, or is incomplete', { cause: error });
  }
}

/** Returns the bytes of a model file. A message yields identical bytes on every machine. */
export function encodeModel(model: ModelMessage): Uint8Array {
  return modelType.encode(modelType.fromObject(model)).finish();
}
