import { UNREQUESTED_SECONDS } from './drain.ts';
import type { ObservedPod, PodModel } from './snapshot.ts';

/** The pods of a host, counted by their state of one model. */
export interface PodCounts {
  /** The number of pods that should load the model. */
  readonly desired: number;
  readonly onDisk: number;
  readonly warm: number;
  /** The number of ready pods that have loaded the model. */
  readonly answering: number;
  /** The number of pods that had a request for the model recently. */
  readonly requested: number;
  /**
   * Whether a ready pod may serve the model: it has loaded the model, or it does not answer the operator, which does not
   * prove that it answers no requests.
   */
  readonly isServed: boolean;
  /** Whether at least the desired number of pods, and every ready pod, have loaded the model. */
  readonly isWarm: boolean;
  /** The first pod that could not load the model; null if there is none. */
  readonly failed: { readonly pod: string; readonly model: PodModel } | null;
}

/** @param revision the revision of the model; null if it is unknown, so that no pod can have loaded it */
export function countPods(
  pods: readonly ObservedPod[],
  { revision, desired }: { readonly revision: string | null; readonly desired: number },
): PodCounts {
  const staying = pods.filter(({ isTerminating }) => !isTerminating);
  const held = staying.map((pod) => ({ pod, model: modelOf(pod, revision) }));
  const inState = (...states: readonly PodModel['state'][]) =>
    held.filter(({ model }) => model !== undefined && states.includes(model.state));
  const warm = inState('warm');
  const failed = inState('failed')[0];
  return {
    desired,
    onDisk: inState('disk', 'warming', 'warm').length,
    warm: warm.length,
    answering: pods.filter((pod) => isAnswering(pod, revision)).length,
    // Terminating pods count as well, because they still serve requests.
    requested: pods.filter((pod) => isRequested(modelOf(pod, revision))).length,
    isServed: pods.some(
      (pod) => isAnswering(pod, revision) || (isReady(pod) && pod.models.length === 0),
    ),
    isWarm:
      warm.length >= Math.max(desired, 1) &&
      held.every(({ pod, model }) => pod.readySince === null || model?.state === 'warm'),
    failed: failed === undefined ? null : { pod: failed.pod.name, model: failed.model! },
  };
}

/** Whether a pod is ready and has loaded a model. */
export function isAnswering(pod: ObservedPod, revision: string | null): boolean {
  return isReady(pod) && modelOf(pod, revision)?.state === 'warm';
}

/** Whether a pod gets requests. */
export function isReady({ readySince, isTerminating }: ObservedPod): boolean {
  return readySince !== null && !isTerminating;
}

function modelOf(pod: ObservedPod, revision: string | null): PodModel | undefined {
  return pod.models.find((model) => model.revision === revision);
}

function isRequested(model: PodModel | undefined): boolean {
  const { lastRequestedSecondsAgo = null } = model ?? {};
  return lastRequestedSecondsAgo !== null && lastRequestedSecondsAgo < UNREQUESTED_SECONDS;
}
