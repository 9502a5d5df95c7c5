import {
  ReportedKeys,
  ReportedModel,
  ReportedRuntime,
} from '@sightline/contracts/cluster/model-report';
import type { ObservedPod, PodModel } from '../plan/snapshot.ts';
import { fromTime } from '../plan/time.ts';
import type { Pod } from './kube-kinds.ts';
import { isOver, podFailure, toFailure } from './pod-failure.ts';

/**
 * How long the failure of a pod that ended is reported, in ms. The pod's object exists for hours after the end, and
 * its failure would be reported for as long without this limit.
 */
const SHOWN_MS = 60_000;

/**
 * The observed state of an inference pod.
 *
 * @param answer the last answer of the pod at `/models`; null before the first answer
 */
export function observePod(
  pod: Pod,
  { now, answer }: { readonly now: number; readonly answer: unknown },
): ObservedPod {
  const endedAt = isOver(pod) ? endOf(pod, now) : null;
  const isForgotten = endedAt !== null && now > endedAt + SHOWN_MS;
  return {
    name: pod.metadata.name,
    readySince: readySinceOf(pod, now),
    isTerminating: pod.metadata.deletionTimestamp !== undefined,
    endedAt,
    failure: isForgotten ? null : podFailure(pod, now),
    models: endedAt === null ? parseModels(answer) : [],
    runtime: endedAt === null ? parseRuntime(answer) : null,
    keys: endedAt === null ? parseKeys(answer) : null,
  };
}

function readySinceOf({ status }: Pod, now: number): number | null {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' ? (fromTime(ready.lastTransitionTime) ?? now) : null;
}

/**
 * The conditions whose transition times show when a pod ended. `Ready` alone is not enough, because it does not
 * change if an evicted pod was not ready.
 */
const ENDS = ['Ready', 'DisruptionTarget'];

/** The end of a pod in ms since 1970; `now` if its conditions have no time. */
function endOf({ status }: Pod, now: number): number {
  const ends = (status?.conditions ?? []).filter(({ type }) => ENDS.includes(type));
  const times = ends.flatMap(({ lastTransitionTime }) => fromTime(lastTransitionTime) ?? []);
  return times.length === 0 ? now : Math.max(...times);
}

/** The models in a pod's answer. Skips models that cannot be parsed. */
function parseModels(answer: unknown): readonly PodModel[] {
  const { models } = (answer ?? {}) as { readonly models?: unknown };
  return Array.isArray(models) ? models.flatMap((model) => parseModel(model) ?? []) : [];
}

/** The runtime in a pod's answer; null if the pod is older than this member, or not warm. */
function parseRuntime(answer: unknown): ReportedRuntime | null {
  const { runtime } = (answer ?? {}) as { readonly runtime?: unknown };
  return ReportedRuntime.safeParse(runtime).data ?? null;
}

/** The keys in a pod's answer; null if there are none. */
function parseKeys(answer: unknown): ReportedKeys | null {
  const { keys } = (answer ?? {}) as { readonly keys?: unknown };
  return ReportedKeys.safeParse(keys).data ?? null;
}

function parseModel(value: unknown): PodModel | null {
  const { data } = ReportedModel.safeParse(value);
  if (data === undefined) return null;
  const { name, revision, state, error, lastRequestedSecondsAgo } = data;
  const failure = error === null ? null : toFailure(error);
  return { name, revision, state, failure, lastRequestedSecondsAgo };
}
