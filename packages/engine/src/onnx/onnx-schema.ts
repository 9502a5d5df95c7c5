import protobuf from 'protobufjs/light.js';

/**
 * The parts of onnx.proto (github.com/onnx/onnx) that Sightline reads, by their field numbers.
 * Fields without a line here are skipped in decoding: weights in particular are never copied.
 * Whoever writes models adds the fields that have to survive.
 */
const field = (id: number, type: string) => ({ id, type });
const repeated = (id: number, type: string) => ({ id, type, rule: 'repeated' });

const messages = {
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

const root = protobuf.Root.fromJSON({
  nested: Object.fromEntries(Object.entries(messages).map(([name, fields]) => [name, { fields }])),
});

/** The ONNX model message; decodes and encodes the fields named above. */
export const modelType = root.lookupType('ModelProto');

/** Lists are always there; a scalar or message that the file does not set is absent. */
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
  /** 0: in the file; 1: in another file. */
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
