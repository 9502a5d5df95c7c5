import type { OnnxAttribute, OnnxGraph, OnnxModel, OnnxNode, OnnxTensor } from './onnx-model.ts';
import { FileRefused } from './file-refused.ts';

/**
 * Operators whose meaning onnxruntime itself defines: the two ONNX standards and the contrib set
 * that its own optimizer and quantizer write. Any other domain needs a library of native code, or
 * hides standard operators behind names of the file's own.
 */
const KNOWN_DOMAINS: ReadonlySet<string> = new Set(['', 'ai.onnx', 'ai.onnx.ml', 'com.microsoft']);

/** The node that carries, or points to, a binary compiled for one execution provider. */
const NATIVE_CONTEXT = 'EPContext';

/**
 * Refuses what would make onnxruntime read other files or run foreign native code: tensors with
 * external data, operators of unknown domains, embedded native contexts; in the main graph, in
 * nested graphs and in the file's own functions. Imports of a domain that no node uses do no harm
 * and are common: onnxruntime writes them into every model that it saves.
 *
 * @throws FileRefused naming the first such thing
 */
export function checkOnnx(model: OnnxModel): void {
  checkGraph(model.graph);
  for (const fn of model.functions) {
    fn.nodes.forEach(checkNode);
    fn.attributes.forEach(checkAttribute);
  }
}

function checkGraph(graph: OnnxGraph): void {
  graph.initializers.forEach(checkTensor);
  graph.nodes.forEach(checkNode);
}

function checkNode(node: OnnxNode): void {
  if (node.opType === NATIVE_CONTEXT) {
    throw new FileRefused('embeds a native context (EPContext) of one execution provider');
  }
  if (!KNOWN_DOMAINS.has(node.domain)) {
    throw new FileRefused(
      `uses the operator ${quote(node.opType)} of the unknown domain ${quote(node.domain)}`,
    );
  }
  node.attributes.forEach(checkAttribute);
}

function checkAttribute(attribute: OnnxAttribute): void {
  attribute.tensors.forEach(checkTensor);
  attribute.graphs.forEach(checkGraph);
}

function checkTensor(tensor: OnnxTensor): void {
  if (tensor.location === 'external') {
    throw new FileRefused(`keeps the values of ${quote(tensor.name)} in another file`);
  }
}

/** A name out of the file, safe to print. */
function quote(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
}
