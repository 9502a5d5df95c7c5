import type { ObservedDeployment, ObservedPod } from '../plan/snapshot.ts';
import type { Deployment } from './kube-kinds.ts';

/** A Deployment as planning needs it. @param pods of it */
export function observeDeployment(
  { status }: Deployment,
  pods: readonly ObservedPod[],
): ObservedDeployment {
  const progressing = status?.conditions?.find(({ type }) => type === 'Progressing');
  const isLate = progressing?.reason === 'ProgressDeadlineExceeded';
  return { replicas: status?.replicas ?? 0, stuck: isLate ? whatIsStuck(pods) : null };
}

/** Which pod waits for what. */
function whatIsStuck(pods: readonly ObservedPod[]): string {
  const waiting = pods.find(({ trouble, isLeaving }) => trouble !== null && !isLeaving);
  if (waiting?.trouble) return `Pod ${waiting.name}: ${waiting.trouble.message}`;
  const unready = pods.find(({ readySince, isLeaving }) => readySince === null && !isLeaving);
  return unready === undefined ? 'Pods are missing.' : `Pod ${unready.name} does not become ready.`;
}
