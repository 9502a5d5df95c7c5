import { FileRefused } from '@sightline/engine/onnx/file-refused';
import type { GraphNode } from './graph-model.ts';

/**
 * A text that a node has to carry.
 *
 * @throws FileRefused if it does not; the same holds for the functions below
 */
export function readText(node: GraphNode, attribute: string): string {
  return decode(present(node, attribute, node.attr[attribute]?.s));
}

/** Several texts. */
export function readTexts(node: GraphNode, attribute: string): string[] {
  return present(node, attribute, node.attr[attribute]?.list?.s).map(decode);
}

/** Integers for height and width, which stand in the middle of four; all are at least 1. */
export function readSpatialPair(node: GraphNode, attribute: string): readonly [number, number] {
  const values = present(node, attribute, node.attr[attribute]?.list?.i);
  const [batch, height = 0, width = 0, channels] = values;
  if (values.length !== 4 || batch !== 1 || channels !== 1 || height < 1 || width < 1) {
    throw nodeRefused(node, `has ${attribute} of [${values.join(', ')}]`);
  }
  return [height, width];
}

/** True or false; false where it is not set. */
export function readFlag(node: GraphNode, attribute: string): boolean {
  return node.attr[attribute]?.b ?? false;
}

/** Refuses a file because of what one of its nodes is; `reason` is a clause about the node. */
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
