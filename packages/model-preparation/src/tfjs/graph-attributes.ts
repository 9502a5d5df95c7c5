import { FileRefused } from '@sightline/engine/onnx/file-refused';
import type { GraphNode } from './graph-model.ts';

/** Reads a string attribute. @throws FileRefused if the attribute is missing */
export function readText(node: GraphNode, attribute: string): string {
  return decode(present(node, attribute, node.attr[attribute]?.s));
}

/** Reads a list of strings. @throws FileRefused if the attribute is missing */
export function readTexts(node: GraphNode, attribute: string): string[] {
  return present(node, attribute, node.attr[attribute]?.list?.s).map(decode);
}

/**
 * Reads height and width, the second and third of four integers.
 *
 * @throws FileRefused if the attribute is missing, if the first or last integer is not 1, or if one is below 1
 */
export function readSpatialPair(node: GraphNode, attribute: string): readonly [number, number] {
  const values = present(node, attribute, node.attr[attribute]?.list?.i);
  const [batch, height = 0, width = 0, channels] = values;
  if (values.length !== 4 || batch !== 1 || channels !== 1 || height < 1 || width < 1) {
    throw nodeRefused(node, `has ${attribute} of [${values.join(', ')}]`);
  }
  return [height, width];
}

/** Reads a boolean attribute, which is false by default. */
export function readFlag(node: GraphNode, attribute: string): boolean {
  return node.attr[attribute]?.b ?? false;
}

/** The refusal of a file because of a node. @param reason a clause about the node */
export function nodeRefused({ name, op }: GraphNode, reason: string): FileRefused {
  return new FileRefused(`has the node ${JSON.stringify(name)} (${op}), which ${reason}`);
}

function present<T>(node: GraphNode, attribute: string, value: T | undefined): T {
  if (value === undefined) throw nodeRefused(node, `lacks the attribute ${attribute}`);
  return value;
}

function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
