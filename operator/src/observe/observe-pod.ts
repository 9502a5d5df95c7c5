import { ReportedModel } from '@sightline/contracts/cluster/model-report';
import type { ObservedPod, PodModel } from '../plan/snapshot.ts';
import { fromTime } from '../plan/time.ts';
import type { Pod } from './kube-kinds.ts';
import { isOver, podTrouble, toTrouble } from './pod-trouble.ts';

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
  const endedAt = isOver(pod) ? endOf(pod, now) : null;
  const isForgotten = endedAt !== null && now > endedAt + TOLD_MS;
  return {
    name: pod.metadata.name,
    readySince: readySinceOf(pod, now),
    isLeaving: pod.metadata.deletionTimestamp !== undefined,
    endedAt,
    trouble: isForgotten ? null : podTrouble(pod, now),
    models: endedAt === null ? models : [],
  };
}

function readySinceOf({ status }: Pod, now: number): number | null {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' ? (fromTime(ready.lastTransitionTime) ?? now) : null;
}

/** The conditions of a pod that change when it is evicted; one that was not ready stays so. */
const ENDS = ['Ready', 'DisruptionTarget'];

/** In ms since 1970; now if its conditions do not say. */
function endOf({ status }: Pod, now: number): number {
  const ends = (status?.conditions ?? []).filter(({ type }) => ENDS.includes(type));
  const times = ends.flatMap(({ lastTransitionTime }) => fromTime(lastTransitionTime) ?? []);
  return times.length === 0 ? now : Math.max(...times);
}

/** What a pod answers at `/models`; what cannot be understood is left out. */
export function parsePodModels(answer: unknown): readonly PodModel[] {
  const { models } = (answer ?? {}) as { readonly models?: unknown };
  return Array.isArray(models) ? models.flatMap((model) => parsePodModel(model) ?? []) : [];
}

function parsePodModel(value: unknown): PodModel | null {
  const { data } = ReportedModel.safeParse(value);
  if (data === undefined) return null;
  const { error, ...model } = data;
  return { ...model, trouble: error === null ? null : toTrouble(error) };
}
