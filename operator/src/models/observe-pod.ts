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
