import type { KubeObject, ObjectMeta, Resource } from '@sightline/kube/kube-object';
import { apiVersionOf } from '@sightline/kube/kube-object';
import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { fingerprint } from '../plan/fingerprint.ts';
import { MANAGED_BY, type Labels } from '../plan/labels.ts';

/** Annotation of a child: the fingerprint of what it was made from. */
export const INTENT_ANNOTATION = 'sightline.dev/intent';

/** A child as it is to be. */
export interface Intent {
  readonly resource: Resource;
  readonly object: KubeObject;
  /**
   * It cannot be changed once it is there: it stays, whatever it was made from, or makes place for one that is made
   * from something else.
   */
  readonly fixed?: 'keep' | 'renew';
}

export interface ChildOptions {
  readonly resource: Resource;
  /** Also the child's owner: it goes with it. */
  readonly model: InferenceModel;
  readonly name: string;
  readonly labels: Labels;
  readonly annotations?: Labels;
  /** The members beside `metadata`. */
  readonly body: object;
}

/** A child that Kubernetes removes with its model. */
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

/** It does not hold the deletion of its owner up, which would need a right of its own. */
function ownerReference({ apiVersion, kind, metadata }: InferenceModel) {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true };
}
