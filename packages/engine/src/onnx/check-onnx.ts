import type { OnnxAttribute, OnnxGraph, OnnxModel, OnnxNode, OnnxTensor } from './onnx-model.ts';
import { FileRefused } from './file-refused.ts';

/**
 * The domains whose operators onnxruntime itself defines: the two ONNX standards and the contrib
 * operators that its optimizer and quantizer write. Any other domain needs a native library, or
 * hides standard operators behind names that the file defines.
 */
const KNOWN_DOMAINS: ReadonlySet<string> = new Set(['', 'ai.onnx', 'ai.onnx.ml', 'com.microsoft']);

/** The operator that contains, or refers to, a binary compiled for one execution provider. */
const NATIVE_CONTEXT = 'EPContext';

/**
 * Rejects models that would make onnxruntime read other files or run native code: tensors with
 * external data, operators of unknown domains, embedded native contexts. Checks the main graph,
 * nested graphs and the file's own functions. Imports of a domain that no node uses are harmless
 * and common, because onnxruntime writes them into every model that it saves.
 *
 * @throws FileRefused naming the first violation
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
    throw new FileRefused('embeds native code for one execution provider (EPContext)');
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
    throw new FileRefused(`stores the values of ${quote(tensor.name)} in another file`);
  }
}

/** Quotes and shortens a name from the file, so that the name is safe to print. */
function quote(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
}
