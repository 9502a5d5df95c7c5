import type { GraphMessage, NodeMessage } from '@sightline/engine/onnx/model-proto';

/**
 * Drops initializers that nothing reads, inputs that nothing reads, and inputs that an initializer
 * fills. With the last, initializers are constants for onnxruntime, which may compute with them
 * ahead; a caller can no longer replace them. (Up to IR version 3 each had to be an input as well.)
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

/** Graphs inside a node see the values around it. */
function namesRead(node: NodeMessage): string[] {
  const inside = (node.attribute ?? []).flatMap(({ g, graphs = [] }) =>
    g ? [g, ...graphs] : graphs,
  );
  return [
    ...node.input,
    ...inside.flatMap(({ node: nodes = [] }) => nodes.flatMap(namesRead)),
    ...inside.flatMap(({ output = [] }) => output.map(({ name }) => name)),
  ];
}
