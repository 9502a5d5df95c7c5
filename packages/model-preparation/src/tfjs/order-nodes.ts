import { FileRefused } from '@sightline/engine/onnx/file-refused';
import type { GraphNode } from './graph-model.ts';

/**
 * The nodes on which the outputs depend, in topological order. The order depends only on the graph. The function is
 * not recursive, because a long chain of nodes would exhaust the stack.
 *
 * @param outputs the names of the output nodes
 * @throws FileRefused if a node is missing or depends on itself
 */
export function orderNodes(
  nodes: ReadonlyMap<string, GraphNode>,
  outputs: readonly string[],
): GraphNode[] {
  const entered = new Set<string>();
  const done = new Set<string>();
  const ordered: GraphNode[] = [];
  const stack = outputs.toReversed();
  while (stack.length > 0) {
    const node = nodeOf(nodes, stack.at(-1)!);
    if (entered.has(node.name)) {
      // The node was visited before. Either all its inputs are done now, so it is next, or it is done already and
      // several nodes read it.
      stack.pop();
      if (!done.has(node.name)) ordered.push(node);
      done.add(node.name);
      continue;
    }
    entered.add(node.name);
    const open = inputNames(node).filter((name) => !done.has(name));
    if (open.some((name) => entered.has(name))) {
      throw new FileRefused(`has a cycle through the node ${JSON.stringify(node.name)}`);
    }
    stack.push(...open.toReversed());
  }
  return ordered;
}

/**
 * The names of a node's inputs, in order, without control dependencies.
 *
 * @throws FileRefused if an input is not the first output of its node
 */
export function inputNames({ name, input }: GraphNode): string[] {
  const values = input.filter((reference) => !reference.startsWith('^'));
  return values.map((reference) => {
    const [source = '', output = '0'] = reference.split(':');
    if (output !== '0') {
      throw new FileRefused(
        `has the node ${JSON.stringify(name)} take ${JSON.stringify(reference)}, which is not a first output`,
      );
    }
    return source;
  });
}

function nodeOf(nodes: ReadonlyMap<string, GraphNode>, name: string): GraphNode {
  const node = nodes.get(name);
  if (node === undefined) throw new FileRefused(`has no node ${JSON.stringify(name)}`);
  return node;
}
