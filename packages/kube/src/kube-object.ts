/** A kind of object, by the names in its URL. */
export interface Resource {
  /** Empty for the core group. */
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
  /** Counts changes of the spec. */
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly ManagedFields[];
}

/** The fields that one manager owns. */
export interface ManagedFields {
  readonly manager: string;
  readonly subresource?: string;
  /** The owned fields, such as `{ "f:spec": { "f:model": {} } }`. */
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
}

/** Any object, as the API server sends it. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/**
 * A collection of objects. Without a namespace, it has the objects of all namespaces, or its kind has no namespaces.
 */
export interface Place {
  readonly resource: Resource;
  readonly namespace?: string;
}

export interface ObjectRef extends Place {
  readonly name: string;
}

export function apiVersionOf({ group, version }: Resource): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The path of a collection, or of one object in it. */
export function pathOf({ resource, namespace, name }: Place & { readonly name?: string }): string {
  const root = resource.group === '' ? '/api' : '/apis';
  const within = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  const one = name === undefined ? '' : `/${encodeURIComponent(name)}`;
  return `${root}/${apiVersionOf(resource)}${within}/${resource.plural}${one}`;
}
