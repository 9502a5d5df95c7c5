import type { NodeMessage } from '@sightline/engine/onnx/model-proto';

/** Whether the node is that operator of the ONNX standard, whose domain has two names. */
export function isStandard(node: NodeMessage, opType: string): boolean {
  return node.opType === opType && isStandardDomain(node);
}

export function isStandardDomain({ domain = '' }: NodeMessage): boolean {
  return domain === '' || domain === 'ai.onnx';
}

/** The value of an integer attribute, or what the operator means where the node does not have it. */
export function intAttribute(node: NodeMessage, name: string, absent: number): number {
  const attribute = node.attribute?.find((candidate) => candidate.name === name);
  // Writers may leave out a zero.
  return attribute === undefined ? absent : (attribute.i ?? 0);
}

/** The value of a list of integers; undefined where the node does not have it. */
export function intsAttribute(node: NodeMessage, name: string): readonly number[] | undefined {
  const attribute = node.attribute?.find((candidate) => candidate.name === name);
  return attribute && (attribute.ints ?? []);
}
