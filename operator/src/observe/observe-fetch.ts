import { Fetched, FetchProgress } from '@sightline/contracts/cluster/fetch-end';
import { ATTEMPT_ANNOTATION, SOURCE_ANNOTATION } from '../children/build-fetch-job.ts';
import type { Failure } from '../plan/failures.ts';
import type { FetchEnd, ObservedFetch, StoredPack } from '../plan/snapshot.ts';
import { fromTime } from '../plan/time.ts';
import type { Job, Pod, PodCondition, Terminated } from './kube-kinds.ts';
import { exitFailure, parseObject, podFailure } from './pod-failure.ts';

export interface FetchObservation {
  readonly now: number;
  /** The pod of the Job; undefined if it has not been created yet or was deleted. */
  readonly pod: Pod | undefined;
  readonly progress: ObservedFetch['progress'];
}

/** How long a Job may have no pod, in ms. After this time, a quota or an admission policy probably prevents the pod. */
const POD_MS = 60_000;
const NO_POD: Failure = {
  reason: 'Unschedulable',
  message:
    'The fetch Job has had no pod for a minute; a quota, a policy or a queue may prevent it. `kubectl describe job` names the cause.',
};

export function observeFetch(job: Job, { now, pod, progress }: FetchObservation): ObservedFetch {
  const annotations = job.metadata.annotations ?? {};
  const startedAt = fromTime(job.status?.startTime ?? job.metadata.creationTimestamp) ?? now;
  const isLate = now >= startedAt + POD_MS;
  return {
    attempt: Number(annotations[ATTEMPT_ANNOTATION]) || 1,
    source: annotations[SOURCE_ANNOTATION] ?? '',
    isTerminating: job.metadata.deletionTimestamp !== undefined,
    startedAt,
    progress,
    failure: pod === undefined ? (isLate ? NO_POD : null) : podFailureOf(pod, now),
    end: endOf(job, { now, pod }),
  };
}

function endOf({ status }: Job, { now, pod }: Omit<FetchObservation, 'progress'>): FetchEnd | null {
  const ended = status?.conditions?.find((condition) => isEnd(condition));
  if (ended === undefined) return null;
  const at = fromTime(ended.lastTransitionTime) ?? now;
  const terminated = terminatedOf(pod);
  if (ended.type === 'Failed') return { at, failure: jobFailure(ended, { pod, terminated, now }) };
  const pack = packOf(terminated);
  return pack === null ? { at, failure: NO_RESULT } : { at, pack };
}

function terminatedOf(pod: Pod | undefined): Terminated | undefined {
  return pod?.status?.containerStatuses?.[0]?.state?.terminated;
}

function isEnd({ type, status }: PodCondition): boolean {
  return status === 'True' && (type === 'Complete' || type === 'Failed');
}

const NO_RESULT: Failure = {
  reason: 'FetchFailed',
  message: 'The fetch has ended, but its pod reported no result.',
};

function jobFailure(
  { reason, message }: { readonly reason?: string; readonly message?: string },
  {
    pod,
    terminated,
    now,
  }: {
    readonly pod: Pod | undefined;
    readonly terminated: Terminated | undefined;
    readonly now: number;
  },
): Failure {
  if (reason === 'DeadlineExceeded') {
    return { reason, message: message ?? 'The fetch took too long.' };
  }
  if (terminated !== undefined) return ofFetch(exitFailure(terminated));
  const found = pod === undefined ? null : podFailureOf(pod, now);
  return found ?? { reason: 'FetchFailed', message: message ?? 'The fetch failed.' };
}

function podFailureOf(pod: Pod, now: number): Failure | null {
  const found = podFailure(pod, now);
  return found && ofFetch(found);
}

/** Renames the failure `LoadFailed` to `FetchFailed`, because a fetch loads no model. */
function ofFetch(failure: Failure): Failure {
  return failure.reason === 'LoadFailed' ? { ...failure, reason: 'FetchFailed' } : failure;
}

/** The result of a fetch; null if its pod has none. */
function packOf(terminated: Terminated | undefined): StoredPack | null {
  return Fetched.safeParse(parseObject(terminated?.message ?? '')).data?.pack ?? null;
}

/** The progress in the answer of a fetch pod at `/fetch`; null if the answer is not valid. */
export function parseProgress(answer: unknown): FetchProgress | null {
  return FetchProgress.safeParse(answer).data ?? null;
}
