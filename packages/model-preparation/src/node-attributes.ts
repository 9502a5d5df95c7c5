import type { NodeMessage } from '@sightline/engine/onnx/model-proto';

/** Whether a node is an operator of the ONNX standard, whose domain has two names. */
export function isStandard(node: NodeMessage, opType: string): boolean {
  return node.opType === opType && isStandardDomain(node);
}

export function isStandardDomain({ domain = '' }: NodeMessage): boolean {
  return domain === '' || domain === 'ai.onnx';
}

/** The value of an integer attribute, or the operator's default if the node omits it. */
export function intAttribute(node: NodeMessage, name: string, defaultValue: number): number {
  const attribute = node.attribute?.find((candidate) => candidate.name === name);
  // An attribute without a value is 0, because protocol buffers may omit zeros.
  return attribute === undefined ? defaultValue : (attribute.i ?? 0);
}

/** The value of an integer list attribute; undefined if the node omits it. */
export function intsAttribute(node: NodeMessage, name: string): readonly number[] | undefined {
  const attribute = node.attribute?.find((candidate) => candidate.name === name);
  return attribute && (attribute.ints ?? []);
}
