import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { annotationsOfUser, labelsOfUser, type Labels } from '../plan/labels.ts';

type Spec = InferenceModel['spec'];
type Runtime = NonNullable<Spec['runtime']>;
type Fetch = NonNullable<Spec['fetch']>;

/** The settings that decide on which nodes pods run, and the labels and annotations that a cluster's policies ask for. */
export type Placement = Pick<
  Runtime,
  'nodeSelector' | 'tolerations' | 'priorityClassName' | 'podLabels' | 'podAnnotations'
>;

const GPU_TOLERATION = { key: 'nvidia.com/gpu', operator: 'Exists' } as const;

/** The placement of a host's pods. Pods with a GPU tolerate the taint that keeps other pods away from GPUs. */
export function placementOfPods({
  device,
  nodeSelector,
  tolerations = [],
  priorityClassName,
  podLabels,
  podAnnotations,
}: Runtime): Placement {
  const tolerated = device === 'GPU' ? [...tolerations, GPU_TOLERATION] : tolerations;
  return { nodeSelector, tolerations: tolerated, priorityClassName, podLabels, podAnnotations };
}

/** The placement of a fetch Job: that of the pods that load the model, except for what `fetch` sets. */
export function placementOfFetch(fetch: Fetch = {}, runtime: Runtime | undefined): Placement {
  const pods = runtime === undefined ? {} : placementOfPods(runtime);
  return {
    nodeSelector: fetch.nodeSelector ?? pods.nodeSelector,
    tolerations: fetch.tolerations ?? pods.tolerations,
    priorityClassName: fetch.priorityClassName ?? pods.priorityClassName,
    podLabels: fetch.podLabels ?? pods.podLabels,
    podAnnotations: fetch.podAnnotations ?? pods.podAnnotations,
  };
}

/** The fields of a pod's spec. */
export function placementSpec({ nodeSelector, tolerations = [], priorityClassName }: Placement) {
  return {
    ...(nodeSelector !== undefined && { nodeSelector }),
    ...(priorityClassName !== undefined && { priorityClassName }),
    ...(tolerations.length > 0 && { tolerations }),
  };
}

/** The metadata of a pod template. @param labels the labels of the operator, which users cannot replace */
export function podMetadata({ podLabels, podAnnotations }: Placement, labels: Labels) {
  const annotations = annotationsOfUser(podAnnotations);
  return {
    labels: { ...labelsOfUser(podLabels), ...labels },
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}
