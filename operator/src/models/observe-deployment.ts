import type { ObservedDeployment, ObservedPod } from '../plan/snapshot.ts';
import type { Deployment, PodCondition } from './kube-kinds.ts';

/** A Deployment as planning needs it. @param pods of it */
export function observeDeployment(
  { status }: Deployment,
  pods: readonly ObservedPod[],
): ObservedDeployment {
  const { replicas = 0, conditions = [] } = status ?? {};
  const isLate = conditions.some(({ reason }) => reason === 'ProgressDeadlineExceeded');
  return {
    replicas,
    refusal: refusalOf(conditions),
    stuck: isLate ? whatIsStuck(pods) : null,
  };
}

function refusalOf(conditions: readonly PodCondition[]): string | null {
  const failed = conditions.find(
    ({ type, status }) => type === 'ReplicaFailure' && status === 'True',
  );
  return failed?.message ?? null;
}

/** Which pod waits for what. */
function whatIsStuck(pods: readonly ObservedPod[]): string {
  const waiting = pods.find(({ trouble, isLeaving }) => trouble !== null && !isLeaving);
  if (waiting?.trouble) return `Pod ${waiting.name}: ${waiting.trouble.message}`;
  const unready = pods.find(({ readySince, isLeaving }) => readySince === null && !isLeaving);
  return unready === undefined ? 'Pods are missing.' : `Pod ${unready.name} does not become ready.`;
}
