import type { GraphMessage, NodeMessage } from '@sightline/engine/onnx/model-proto';

/**
 * Drops initializers and inputs that no node reads, and inputs that an initializer fills. (Up to IR
 * version 3 every initializer had to be an input as well.) Such initializers are then constants,
 * which onnxruntime can fold; callers can no longer override them.
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

/** Includes the names read by subgraphs, which see the values around them. */
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
