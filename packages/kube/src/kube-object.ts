/** A kind of object, with the names that occur in its URLs. */
export interface Resource {
  /** The API group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  /** The number of changes of the spec, counted by the API server. */
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly ManagedFields[];
}

export interface ManagedFields {
  readonly manager: string;
  readonly subresource?: string;
  /** The owned fields, such as `{ "f:spec": { "f:model": {} } }`. */
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
}

export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/**
 * A collection of objects of one kind. An absent namespace means all namespaces, or that the kind has no namespaces.
 */
export interface Collection {
  readonly resource: Resource;
  readonly namespace?: string;
}

export interface ObjectRef extends Collection {
  readonly name: string;
}

export function apiVersionOf({ group, version }: Resource): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The URL path of a collection, or of an object in the collection if `name` is given. */
export function pathOf({
  resource,
  namespace,
  name,
}: Collection & { readonly name?: string }): string {
  const root = resource.group === '' ? '/api' : '/apis';
  const within = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  const one = name === undefined ? '' : `/${encodeURIComponent(name)}`;
  return `${root}/${apiVersionOf(resource)}${within}/${resource.plural}${one}`;
}
