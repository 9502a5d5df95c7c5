import type { ObservedPod, PodModel } from '../plan/snapshot.ts';
import { fromTime } from '../plan/time.ts';
import type { Pod } from './kube-kinds.ts';
import { isOver, podTrouble, saidByProgram } from './pod-trouble.ts';

/** How long the end of a pod is told, in ms: objects of pods that are over stay for hours. */
const TOLD_MS = 60_000;

/**
 * A pod of a host as planning needs it.
 *
 * @param models what it has answered; empty: nothing yet
 */
export function observePod(
  pod: Pod,
  { now, models }: { readonly now: number; readonly models: readonly PodModel[] },
): ObservedPod {
  const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  const isLeaving = pod.metadata.deletionTimestamp !== undefined;
  const changedAt = fromTime(ready?.lastTransitionTime) ?? now;
  const isForgotten = isOver(pod) && now > changedAt + TOLD_MS;
  return {
    name: pod.metadata.name,
    readySince: ready?.status === 'True' ? changedAt : null,
    isLeaving,
    trouble: isForgotten ? null : podTrouble(pod, now),
    models: isOver(pod) ? [] : models,
  };
}

const STATES: readonly unknown[] = ['fetching', 'disk', 'warming', 'warm', 'failed'];

/** What a pod answers at `/models`; what cannot be understood is left out. */
export function parsePodModels(answer: unknown): readonly PodModel[] {
  const { models } = (answer ?? {}) as { readonly models?: unknown };
  return Array.isArray(models) ? models.flatMap((model) => parsePodModel(model) ?? []) : [];
}

function parsePodModel(value: unknown): PodModel | null {
  if (typeof value !== 'object' || value === null) return null;
  const { name, revision, state, error, lastAskedSecondsAgo } = value as Record<string, unknown>;
  if (typeof name !== 'string' || typeof revision !== 'string' || !STATES.includes(state))
    return null;
  return {
    name,
    revision,
    state: state as PodModel['state'],
    trouble: parseError(error),
    lastAskedSecondsAgo: typeof lastAskedSecondsAgo === 'number' ? lastAskedSecondsAgo : null,
  };
}

/** A sentence, or one with its reason. */
function parseError(error: unknown): PodModel['trouble'] {
  if (typeof error === 'string') return { reason: 'LoadFailed', message: error };
  if (typeof error !== 'object' || error === null) return null;
  return saidByProgram(JSON.stringify(error));
}
