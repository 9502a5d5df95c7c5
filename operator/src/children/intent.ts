import type { KubeObject, ObjectMeta, Resource } from '@sightline/kube/kube-object';
import { apiVersionOf } from '@sightline/kube/kube-object';
import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { fingerprint } from '../plan/fingerprint.ts';
import { MANAGED_BY, type Labels } from '../plan/labels.ts';

/** The annotation of a child with the fingerprint of its intent. */
export const INTENT_ANNOTATION = 'sightline.dev/intent';

/** The desired state of a child. */
export interface Intent {
  readonly resource: Resource;
  readonly object: KubeObject;
  /**
   * Set if the child is immutable. With `keep`, an existing child stays as it is. With `renew`, a child whose intent has
   * changed is deleted and created again.
   */
  readonly fixed?: 'keep' | 'renew';
}

export interface ChildOptions {
  readonly resource: Resource;
  /** The owner of the child. Kubernetes deletes the child after its owner. */
  readonly model: InferenceModel;
  readonly name: string;
  readonly labels: Labels;
  readonly annotations?: Labels;
  /** The members of the object beside `metadata`. */
  readonly body: object;
}

/** Builds a child that Kubernetes deletes together with its model. */
export function toIntent({
  resource,
  model,
  name,
  labels,
  annotations,
  body,
}: ChildOptions): Intent {
  const metadata: ObjectMeta = {
    name,
    ...(model.metadata.namespace !== undefined && { namespace: model.metadata.namespace }),
    labels: { ...labels, ...MANAGED_BY },
    ownerReferences: [ownerReference(model)],
  };
  const what = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  const intent = fingerprint({ ...what, metadata, annotations, body });
  const noted = { ...annotations, [INTENT_ANNOTATION]: intent };
  return { resource, object: { ...what, metadata: { ...metadata, annotations: noted }, ...body } };
}

/**
 * The owner reference of a child. It does not set `blockOwnerDeletion`, because the operator would need one more
 * permission to set it.
 */
function ownerReference({ apiVersion, kind, metadata }: InferenceModel) {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true };
}
