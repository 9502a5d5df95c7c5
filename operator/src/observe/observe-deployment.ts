import type { ObservedDeployment, ObservedPod } from '../plan/snapshot.ts';
import type { Deployment, PodCondition } from './kube-kinds.ts';

/** The observed state of a Deployment. @param pods the pods of the Deployment */
export function observeDeployment(
  deployment: Deployment,
  pods: readonly ObservedPod[],
): ObservedDeployment {
  const { replicas = 0, conditions = [] } = deployment.status ?? {};
  const isLate = conditions.some(({ reason }) => reason === 'ProgressDeadlineExceeded');
  return {
    replicas,
    refusal: refusalOf(conditions),
    rolloutMessage: isRollingOut(deployment)
      ? (waitsFor(pods) ?? 'Pods are being replaced.')
      : null,
    stuck: isLate ? whatIsStuck(pods) : null,
  };
}

function refusalOf(conditions: readonly PodCondition[]): string | null {
  const failed = conditions.find(
    ({ type, status }) => type === 'ReplicaFailure' && status === 'True',
  );
  return failed?.message ?? null;
}

/** Whether pods of an older template remain, or pods of the newest template are missing. */
function isRollingOut({ spec, status }: Deployment): boolean {
  const { observedGeneration, replicas = 0, updatedReplicas = 0 } = status ?? {};
  if (observedGeneration === undefined) return false;
  return updatedReplicas < (spec?.replicas ?? 1) || replicas > updatedReplicas;
}

/** A message about the first pod with a failure; null if no pod has one. */
function waitsFor(pods: readonly ObservedPod[]): string | null {
  const waiting = pods.find(({ failure, isTerminating }) => failure !== null && !isTerminating);
  return waiting?.failure ? `Pod ${waiting.name}: ${waiting.failure.message}` : null;
}

function whatIsStuck(pods: readonly ObservedPod[]): string {
  const waiting = waitsFor(pods);
  if (waiting !== null) return waiting;
  const unready = pods.find(
    ({ readySince, isTerminating }) => readySince === null && !isTerminating,
  );
  return unready === undefined ? 'Pods are missing.' : `Pod ${unready.name} does not become ready.`;
}
