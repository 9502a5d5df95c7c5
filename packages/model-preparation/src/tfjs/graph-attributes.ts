import { FileRefused } from '@sightline/engine/onnx/file-refused';
import type { GraphNode } from './graph-model.ts';

/**
 * A string attribute.
 *
 * @throws FileRefused if the attribute is missing, like the functions below
 */
export function readText(node: GraphNode, attribute: string): string {
  return decode(present(node, attribute, node.attr[attribute]?.s));
}

/** A list of strings. */
export function readTexts(node: GraphNode, attribute: string): string[] {
  return present(node, attribute, node.attr[attribute]?.list?.s).map(decode);
}

/**
 * Height and width from a list of four integers, whose first and last must be 1; all at least 1.
 */
export function readSpatialPair(node: GraphNode, attribute: string): readonly [number, number] {
  const values = present(node, attribute, node.attr[attribute]?.list?.i);
  const [batch, height = 0, width = 0, channels] = values;
  if (values.length !== 4 || batch !== 1 || channels !== 1 || height < 1 || width < 1) {
    throw nodeRefused(node, `has ${attribute} of [${values.join(', ')}]`);
  }
  return [height, width];
}

/** A boolean attribute; default false. */
export function readFlag(node: GraphNode, attribute: string): boolean {
  return node.attr[attribute]?.b ?? false;
}

/** Refuses the file because of one of its nodes; `reason` is a clause about the node. */
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
