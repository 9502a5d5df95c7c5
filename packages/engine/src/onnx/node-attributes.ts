import type { NodeMessage } from './model-proto.ts';

/** Whether a node is an operator of the ONNX standard, whose domain has two names. */
export function isStandard(node: NodeMessage, opType: string): boolean {
  return node.opType === opType && isStandardDomain(node);
}

export function isStandardDomain({ domain = '' }: Pick<NodeMessage, 'domain'>): boolean {
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
  return attribute === undefined ? undefined : (attribute.ints ?? []);
}

/** The value of a string attribute; undefined if the node omits it. */
export function stringAttribute(node: NodeMessage, name: string): string | undefined {
  const bytes = node.attribute?.find((candidate) => candidate.name === name)?.s;
  // The bytes are copied, because a decoder does not accept memory that threads share.
  return bytes && new TextDecoder().decode(Uint8Array.from(bytes));
}
