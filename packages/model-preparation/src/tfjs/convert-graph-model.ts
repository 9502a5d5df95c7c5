import { FileRefused } from '@sightline/engine/onnx/file-refused';
import { channelsFirst } from './channels-first.ts';
import { nodeRefused } from './graph-attributes.ts';
import { type GraphModel, type GraphNode, readGraphModel } from './graph-model.ts';
import { GRAPH_OPERATORS } from './graph-operators.ts';
import { OnnxGraphWriter } from './onnx-graph-writer.ts';
import { inputNames, orderNodes } from './order-nodes.ts';
import { readWeights } from './read-weights.ts';
import type { Activation, Constant, Value } from './value.ts';

/** The files of a TensorFlow.js graph model. */
export interface GraphModelFiles {
  /** `model.json`. */
  readonly model: Uint8Array;
  /** The concatenated files of the model's weights manifest. */
  readonly weights: Uint8Array;
}

/**
 * Converts a TensorFlow.js graph model to ONNX, without nodes on which no output depends. All values are float32, even if
 * the weights were stored as float16.
 *
 * Values with four axes, including inputs and outputs, have the layout [batch, channels, height, width] instead of
 * TensorFlow's [batch, height, width, channels]. Values with fewer axes keep their order. Since the layout depends only on
 * the number of axes, the converted graph needs no Transpose. The batch is dynamic if it is dynamic in the model. All
 * other lengths must be fixed.
 *
 * The result is the same on every machine. Inputs and outputs have the names of their nodes.
 *
 * @param outputs the names of the output nodes, at least one
 * @throws FileRefused if the model is damaged, or uses an operator or a variant that {@link GRAPH_OPERATORS} does not
 *   support
 */
export function convertGraphModel(
  { model, weights }: GraphModelFiles,
  outputs: readonly string[],
): Uint8Array {
  const graph = readGraphModel(model);
  const constants = readWeights(graph.weights, weights);
  const writer = new OnnxGraphWriter();
  const values = new Map<string, Value>();
  for (const node of orderNodes(graph.nodes, outputs)) {
    values.set(node.name, convertNode(node, { values, constants, writer }));
  }
  return writer.encode(
    outputs.map((name) => named(graph, name, { value: values.get(name)!, writer })),
  );
}

interface Conversion {
  /** The values of the nodes that are already converted. */
  readonly values: ReadonlyMap<string, Value>;
  readonly constants: ReadonlyMap<string, Constant>;
  readonly writer: OnnxGraphWriter;
}

function convertNode(node: GraphNode, { values, constants, writer }: Conversion): Value {
  if (node.op === 'Const') return constantOf(node, constants);
  if (node.op === 'Placeholder') return placeholder(node, writer);
  const convert = GRAPH_OPERATORS.get(node.op);
  if (convert === undefined) {
    throw new FileRefused(
      `uses the operator ${node.op} (node ${JSON.stringify(node.name)}), which is not supported`,
    );
  }
  return convert(
    node,
    inputNames(node).map((name) => values.get(name)!),
    writer,
  );
}

function constantOf(node: GraphNode, constants: ReadonlyMap<string, Constant>): Constant {
  const constant = constants.get(node.name);
  if (constant === undefined) throw nodeRefused(node, 'has no weights');
  return constant;
}

/** Converts a placeholder, which must be a batch of images. */
function placeholder(node: GraphNode, writer: OnnxGraphWriter): Activation {
  const lengths = node.attr.shape?.shape?.dim.map(({ size }) => (size < 0 ? null : size)) ?? [];
  if (lengths.length !== 4 || lengths.slice(1).includes(null)) {
    throw nodeRefused(node, `has the shape [${lengths.map((length) => length ?? '?').join(', ')}]`);
  }
  writer.input(node.name, channelsFirst(lengths));
  return { kind: 'activation', name: node.name, shape: lengths };
}

/**
 * Gives an output the name of its node. The value has another name if the node is an Identity, because the conversion
 * of an Identity writes no node.
 */
function named(
  graph: GraphModel,
  name: string,
  { value, writer }: { readonly value: Value; readonly writer: OnnxGraphWriter },
): Activation {
  if (value.kind === 'constant')
    throw nodeRefused(graph.nodes.get(name)!, 'is constant and cannot be an output');
  if (value.name === name) return value;
  writer.node(name, { opType: 'Identity', inputs: [value.name] });
  return { ...value, name };
}
