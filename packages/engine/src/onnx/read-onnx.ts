import type {
  OnnxAttribute,
  OnnxFunction,
  OnnxGraph,
  OnnxModel,
  OnnxNode,
  OnnxTensor,
  OnnxValue,
} from './onnx-model.ts';
import { FileRefused } from './file-refused.ts';
import { structureType } from './onnx-schema.ts';
import type {
  AttributeProto,
  FunctionProto,
  GraphProto,
  ModelProto,
  NodeProto,
  SparseTensorProto,
  TensorProto,
  ValueInfoProto,
} from './onnx-schema.ts';

/**
 * The largest size in bytes of a model file, because protocol buffers end at 2 GiB. A larger model
 * would need external data, which is rejected.
 */
export const MAX_ONNX_BYTES = 2 ** 31 - 1;

const EXTERNAL = 1;

/**
 * Reads the structure of an ONNX model. Messages may be nested as deep as protobufjs allows (100).
 *
 * @throws FileRefused for anything but a complete ONNX model of at most {@link MAX_ONNX_BYTES}
 */
export function readOnnx(bytes: Uint8Array): OnnxModel {
  const model = decode(bytes);
  if (model.graph === undefined || model.irVersion === undefined || model.irVersion < 1) {
    throw new FileRefused('is not an ONNX model');
  }
  return {
    irVersion: model.irVersion,
    opsetImports: model.opsetImport.map(({ domain = '', version = 0 }) => ({ domain, version })),
    metadata: new Map(model.metadataProps.map(({ key = '', value = '' }) => [key, value])),
    graph: readGraph(model.graph),
    functions: model.functions.map(readFunction),
  };
}

function decode(bytes: Uint8Array): ModelProto {
  if (bytes.length > MAX_ONNX_BYTES) throw new FileRefused('is larger than 2 GiB');
  try {
    const message = structureType.decode(bytes);
    return structureType.toObject(message, { longs: Number, arrays: true }) as ModelProto;
  } catch (error) {
    throw new FileRefused('is not an ONNX model, or is incomplete', { cause: error });
  }
}

function readGraph(graph: GraphProto): OnnxGraph {
  const initializers = [
    ...graph.initializer.map(readTensor),
    ...graph.sparseInitializer.flatMap(readSparseTensor),
  ];
  const filled = new Set(initializers.map(({ name }) => name));
  return {
    name: graph.name ?? '',
    inputs: graph.input.map(readValue).filter(({ name }) => !filled.has(name)),
    outputs: graph.output.map(readValue),
    nodes: graph.node.map(readNode),
    initializers,
  };
}

function readValue({ name = '', type }: ValueInfoProto): OnnxValue {
  const tensor = type?.tensorType;
  // A dimension is a number, a symbol or unset. Only a positive number is a fixed dimension.
  const dims = tensor?.shape?.dim.map(({ dimValue = 0 }) => (dimValue > 0 ? dimValue : null));
  return { name, elementType: tensor?.elemType ?? 0, dims: dims ?? null };
}

function readNode(node: NodeProto): OnnxNode {
  return {
    name: node.name ?? '',
    opType: node.opType ?? '',
    domain: node.domain ?? '',
    inputs: node.input,
    outputs: node.output,
    attributes: node.attribute.map(readAttribute),
  };
}

function readAttribute(attribute: AttributeProto): OnnxAttribute {
  const { t, g, sparseTensor } = attribute;
  const sparse = [...(sparseTensor ? [sparseTensor] : []), ...attribute.sparseTensors];
  return {
    name: attribute.name ?? '',
    tensors: [
      ...[...(t ? [t] : []), ...attribute.tensors].map(readTensor),
      ...sparse.flatMap(readSparseTensor),
    ],
    graphs: [...(g ? [g] : []), ...attribute.graphs].map(readGraph),
  };
}

function readFunction(fn: FunctionProto): OnnxFunction {
  return {
    name: fn.name ?? '',
    domain: fn.domain ?? '',
    nodes: fn.node.map(readNode),
    attributes: fn.attributeProto.map(readAttribute),
  };
}

function readTensor(tensor: TensorProto): OnnxTensor {
  const external = tensor.dataLocation === EXTERNAL || tensor.externalData.length > 0;
  return {
    name: tensor.name ?? '',
    elementType: tensor.dataType ?? 0,
    dims: tensor.dims,
    location: external ? 'external' : 'embedded',
  };
}

/**
 * Returns the two dense tensors of a sparse tensor: its values, which have the name of the sparse tensor, and their
 * indices.
 */
function readSparseTensor({ values, indices }: SparseTensorProto): OnnxTensor[] {
  return [...(values ? [values] : []), ...(indices ? [indices] : [])].map(readTensor);
}
