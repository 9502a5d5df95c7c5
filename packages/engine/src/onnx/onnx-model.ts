export interface OnnxModel {
  readonly irVersion: number;
  readonly opsetImports: readonly { readonly domain: string; readonly version: number }[];
  readonly metadata: ReadonlyMap<string, string>;
  readonly graph: OnnxGraph;
  readonly functions: readonly OnnxFunction[];
}

export interface OnnxGraph {
  readonly name: string;
  /** The inputs that a caller has to feed, without those that an initializer fills. */
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly nodes: readonly OnnxNode[];
  readonly initializers: readonly OnnxTensor[];
}

export interface OnnxValue {
  readonly name: string;
  /**
   * TensorProto.DataType (1 = float32, 10 = float16, 7 = int64, ...), or 0 if the value is not a
   * tensor.
   */
  readonly elementType: number;
  /**
   * The sizes of the dimensions, null for a dynamic dimension. The whole list is null if the rank
   * is not declared.
   */
  readonly dims: readonly (number | null)[] | null;
}

export interface OnnxNode {
  readonly name: string;
  readonly opType: string;
  /** '' and 'ai.onnx' both name the standard operator set. */
  readonly domain: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: readonly OnnxAttribute[];
}

export interface OnnxAttribute {
  readonly name: string;
  readonly tensors: readonly OnnxTensor[];
  readonly graphs: readonly OnnxGraph[];
}

/** A function that the file itself defines from other operators. */
export interface OnnxFunction {
  readonly name: string;
  readonly domain: string;
  readonly nodes: readonly OnnxNode[];
  /** The attributes that have default values. */
  readonly attributes: readonly OnnxAttribute[];
}

export interface OnnxTensor {
  readonly name: string;
  readonly elementType: number;
  readonly dims: readonly number[];
  /** Whether the values are in this file or in another file. */
  readonly location: 'embedded' | 'external';
}
