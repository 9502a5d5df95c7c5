import type { GraphMessage, NodeMessage } from '@sightline/engine/onnx/model-proto';

/**
 * Drops initializers and inputs that no node reads. Also drops inputs that an initializer fills: up to IR version 3, each
 * initializer had to be an input as well. Without the input, the initializer is a constant, which onnxruntime can fold.
 */
export function dropStaleInputs(graph: GraphMessage): GraphMessage {
  const read = new Set([...graph.node.flatMap(namesRead), ...graph.output.map(({ name }) => name)]);
  const sparse = graph.sparseInitializer?.map(({ values }) => values?.name) ?? [];
  const filled = new Set([...graph.initializer.map(({ name }) => name), ...sparse]);
  return {
    ...graph,
    initializer: graph.initializer.filter(({ name = '' }) => read.has(name)),
    input: graph.input.filter(({ name }) => read.has(name) && !filled.has(name)),
  };
}

/** The names of the values that a node reads, including those that its subgraphs read from the outer graph. */
function namesRead(node: NodeMessage): string[] {
  const inside = (node.attribute ?? []).flatMap(({ g, graphs = [] }) =>
    g ? [g, ...graphs] : graphs,
  );
  return [
    ...node.input,
    ...inside.flatMap(({ node: nodes }) => nodes.flatMap(namesRead)),
    ...inside.flatMap(({ output }) => output.map(({ name }) => name)),
  ];
}
