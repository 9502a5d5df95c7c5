import type { KubeObject } from './kube-object.ts';

/** The key `namespace/name`, or `/name` for an object without a namespace. */
export function keyOf({ metadata }: Pick<KubeObject, 'metadata'>): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

export function parseKey(key: string): { readonly namespace: string; readonly name: string } {
  const at = key.indexOf('/');
  return { namespace: key.slice(0, at), name: key.slice(at + 1) };
}
