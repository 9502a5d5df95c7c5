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
  /** The files that its manifest of weights names, one after the other. */
  readonly weights: Uint8Array;
}

/**
 * Converts a TensorFlow.js graph model to ONNX: the part of it that some outputs need. Inputs,
 * outputs and everything between are float32, also where weights were stored as float16.
 *
 * What has four axes is laid out as [batch, channels, height, width], inputs and outputs included,
 * where TensorFlow has [batch, height, width, channels]; what has fewer keeps its order. The layout
 * is chosen by the number of axes alone, so nothing is ever transposed in the converted graph.
 * The batch is dynamic if the model leaves it free; all other lengths have to be fixed.
 *
 * The result is the same on every machine. Inputs and outputs have the names of their nodes.
 *
 * @param outputs names of the nodes whose values are wanted, at least one
 * @throws FileRefused if the model is damaged, or if it takes operators, or kinds of them, other than
 *   those of {@link GRAPH_OPERATORS}
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
  /** Of the nodes before. */
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
      `uses the operator ${node.op} (node ${JSON.stringify(node.name)}), which is not converted`,
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

/** A picture, or several: what the nets take. */
function placeholder(node: GraphNode, writer: OnnxGraphWriter): Activation {
  const lengths = node.attr.shape?.shape?.dim.map(({ size }) => (size < 0 ? null : size)) ?? [];
  if (lengths.length !== 4 || lengths.slice(1).includes(null)) {
    throw nodeRefused(node, `has the shape [${lengths.map((length) => length ?? '?').join(', ')}]`);
  }
  writer.input(node.name, channelsFirst(lengths));
  return { kind: 'activation', name: node.name, shape: lengths };
}

/** An output under its own name, which an identity does not give it. */
function named(
  graph: GraphModel,
  name: string,
  { value, writer }: { readonly value: Value; readonly writer: OnnxGraphWriter },
): Activation {
  if (value.kind === 'constant')
    throw nodeRefused(graph.nodes.get(name)!, 'is no output: it is constant');
  if (value.name === name) return value;
  writer.node(name, { opType: 'Identity', inputs: [value.name] });
  return { ...value, name };
}
