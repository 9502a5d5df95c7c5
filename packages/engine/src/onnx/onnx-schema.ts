import protobuf from 'protobufjs/light.js';

interface Field {
  readonly id: number;
  readonly type: string;
  readonly rule?: 'repeated';
}
type Fields = Readonly<Record<string, Field>>;

const field = (id: number, type: string): Field => ({ id, type });
const repeated = (id: number, type: string): Field => ({ id, type, rule: 'repeated' });

/*
 * The parts of onnx.proto (github.com/onnx/onnx) in use, by field number, in two layers. Decoding
 * with only the structure layer skips the fields of the contents layer, so weights are never
 * decoded or copied. Both message types share the entries of the structure layer, so they see the
 * same structure in a file.
 */

/** The fields that the checks before loading need. */
const STRUCTURE: Readonly<Record<string, Fields>> = {
  ModelProto: {
    irVersion: field(1, 'int64'),
    graph: field(7, 'GraphProto'),
    opsetImport: repeated(8, 'OperatorSetIdProto'),
    metadataProps: repeated(14, 'StringStringEntryProto'),
    functions: repeated(25, 'FunctionProto'),
  },
  GraphProto: {
    node: repeated(1, 'NodeProto'),
    name: field(2, 'string'),
    initializer: repeated(5, 'TensorProto'),
    input: repeated(11, 'ValueInfoProto'),
    output: repeated(12, 'ValueInfoProto'),
    sparseInitializer: repeated(15, 'SparseTensorProto'),
  },
  NodeProto: {
    input: repeated(1, 'string'),
    output: repeated(2, 'string'),
    name: field(3, 'string'),
    opType: field(4, 'string'),
    attribute: repeated(5, 'AttributeProto'),
    domain: field(7, 'string'),
  },
  AttributeProto: {
    name: field(1, 'string'),
    t: field(5, 'TensorProto'),
    g: field(6, 'GraphProto'),
    tensors: repeated(10, 'TensorProto'),
    graphs: repeated(11, 'GraphProto'),
    sparseTensor: field(22, 'SparseTensorProto'),
    sparseTensors: repeated(23, 'SparseTensorProto'),
  },
  FunctionProto: {
    name: field(1, 'string'),
    node: repeated(7, 'NodeProto'),
    domain: field(10, 'string'),
    attributeProto: repeated(11, 'AttributeProto'),
  },
  TensorProto: {
    dims: repeated(1, 'int64'),
    dataType: field(2, 'int32'),
    name: field(8, 'string'),
    externalData: repeated(13, 'StringStringEntryProto'),
    dataLocation: field(14, 'int32'),
  },
  SparseTensorProto: {
    values: field(1, 'TensorProto'),
    indices: field(2, 'TensorProto'),
  },
  ValueInfoProto: { name: field(1, 'string'), type: field(2, 'TypeProto') },
  TypeProto: { tensorType: field(1, 'TensorTypeProto') },
  TensorTypeProto: { elemType: field(1, 'int32'), shape: field(2, 'TensorShapeProto') },
  TensorShapeProto: { dim: repeated(1, 'DimensionProto') },
  DimensionProto: { dimValue: field(1, 'int64'), dimParam: field(2, 'string') },
  OperatorSetIdProto: { domain: field(1, 'string'), version: field(2, 'int64') },
  StringStringEntryProto: { key: field(1, 'string'), value: field(2, 'string') },
};

/** The further fields that a rewritten model has to keep. */
const CONTENTS: Readonly<Record<string, Fields>> = {
  ModelProto: {
    producerName: field(2, 'string'),
    producerVersion: field(3, 'string'),
    domain: field(4, 'string'),
    modelVersion: field(5, 'int64'),
    docString: field(6, 'string'),
  },
  GraphProto: {
    docString: field(10, 'string'),
    valueInfo: repeated(13, 'ValueInfoProto'),
  },
  NodeProto: { docString: field(6, 'string'), overload: field(8, 'string') },
  AttributeProto: {
    f: field(2, 'float'),
    i: field(3, 'int64'),
    s: field(4, 'bytes'),
    floats: repeated(7, 'float'),
    ints: repeated(8, 'int64'),
    strings: repeated(9, 'bytes'),
    docString: field(13, 'string'),
    type: field(20, 'int32'),
    refAttrName: field(21, 'string'),
  },
  FunctionProto: {
    input: repeated(4, 'string'),
    output: repeated(5, 'string'),
    attribute: repeated(6, 'string'),
    docString: field(8, 'string'),
    opsetImport: repeated(9, 'OperatorSetIdProto'),
    valueInfo: repeated(12, 'ValueInfoProto'),
    overload: field(13, 'string'),
  },
  TensorProto: {
    floatData: repeated(4, 'float'),
    int32Data: repeated(5, 'int32'),
    stringData: repeated(6, 'bytes'),
    int64Data: repeated(7, 'int64'),
    rawData: field(9, 'bytes'),
    doubleData: repeated(10, 'double'),
    uint64Data: repeated(11, 'uint64'),
    docString: field(12, 'string'),
  },
  SparseTensorProto: { dims: repeated(3, 'int64') },
  ValueInfoProto: { docString: field(3, 'string') },
  TypeProto: { denotation: field(6, 'string') },
  DimensionProto: { denotation: field(3, 'string') },
};

function modelTypeOf(...layers: readonly Readonly<Record<string, Fields>>[]): protobuf.Type {
  const names = Object.keys(STRUCTURE);
  const merged = names.map((name) => {
    const fields: Fields = Object.assign({}, ...layers.map((layer) => layer[name] ?? {})) as Fields;
    return [name, { fields }] as const;
  });
  return protobuf.Root.fromJSON({ nested: Object.fromEntries(merged) }).lookupType('ModelProto');
}

/** The ONNX model message without weights and attribute values. */
export const structureType = modelTypeOf(STRUCTURE);

export const modelType = modelTypeOf(STRUCTURE, CONTENTS);

/**
 * A model message that was decoded with {@link structureType}. Lists are always present, whereas a scalar or message
 * is absent if the file does not set it.
 */
export interface ModelProto {
  readonly irVersion?: number;
  readonly graph?: GraphProto;
  readonly opsetImport: readonly { readonly domain?: string; readonly version?: number }[];
  readonly metadataProps: readonly { readonly key?: string; readonly value?: string }[];
  readonly functions: readonly FunctionProto[];
}

export interface GraphProto {
  readonly name?: string;
  readonly node: readonly NodeProto[];
  readonly initializer: readonly TensorProto[];
  readonly sparseInitializer: readonly SparseTensorProto[];
  readonly input: readonly ValueInfoProto[];
  readonly output: readonly ValueInfoProto[];
}

export interface NodeProto {
  readonly name?: string;
  readonly opType?: string;
  readonly domain?: string;
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly attribute: readonly AttributeProto[];
}

export interface AttributeProto {
  readonly name?: string;
  readonly t?: TensorProto;
  readonly g?: GraphProto;
  readonly tensors: readonly TensorProto[];
  readonly graphs: readonly GraphProto[];
  readonly sparseTensor?: SparseTensorProto;
  readonly sparseTensors: readonly SparseTensorProto[];
}

export interface FunctionProto {
  readonly name?: string;
  readonly domain?: string;
  readonly node: readonly NodeProto[];
  readonly attributeProto: readonly AttributeProto[];
}

export interface TensorProto {
  readonly name?: string;
  readonly dims: readonly number[];
  readonly dataType?: number;
  /** 0 means in this file, and 1 means in another file. */
  readonly dataLocation?: number;
  readonly externalData: readonly { readonly key?: string; readonly value?: string }[];
}

export interface SparseTensorProto {
  readonly values?: TensorProto;
  readonly indices?: TensorProto;
}

export interface ValueInfoProto {
  readonly name?: string;
  readonly type?: {
    readonly tensorType?: {
      readonly elemType?: number;
      readonly shape?: {
        readonly dim: readonly { readonly dimValue?: number; readonly dimParam?: string }[];
      };
    };
  };
}
