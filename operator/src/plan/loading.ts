import type { InferenceModel } from '@sightline/kube/resources/inference-model';
import type { Demand } from './demands.ts';
import { type Failure, type FailureReason, follow, isPaused, type Trouble } from './failures.ts';
import { nameOf } from './hosts.ts';
import type { PodCounts } from './pod-counts.ts';
import type { ObservedPod } from './snapshot.ts';
import { fromTime } from './time.ts';

/** Of one model alone: without it the pods go on. */
const LOAD_REASONS: readonly FailureReason[] = [
  'LoadFailed',
  'OutOfDeviceMemory',
  'WarmUpFailed',
  'PackRefused',
  'TaskMismatch',
  'DigestMismatch',
];
/** What pods say of the attempt before lasts so long after a new one has begun, in ms. */
const STALE_ANSWER_MS = 3_000;

/**
 * Whether a model that pods could not load is left out of them until its pause is over, so that what answers has the
 * memory for itself. What answers, or may be asked still, is never left out.
 */
export function isHeldBack({ status }: InferenceModel, demand: Demand, now: number): boolean {
  const { lastFailure } = status ?? {};
  if (lastFailure?.reason === undefined || !LOAD_REASONS.includes(lastFailure.reason)) return false;
  const mayBeAsked = demand.role !== null && demand.role !== 'wanted';
  return !mayBeAsked && isPaused(lastFailure, now);
}

export interface LoadContext {
  readonly now: number;
  readonly demand: Demand;
  readonly counts: PodCounts;
  readonly pods: readonly ObservedPod[];
  /** Why there cannot be more pods; null: there can. */
  readonly refusal: string | null;
}

/** Why the pods do not hold a model that they should; null: they do, or are about to. */
export function loadFailure(model: InferenceModel, context: LoadContext): Failure | null {
  const { now, demand, counts, pods } = context;
  const known = model.status?.lastFailure;
  if (isHeldBack(model, demand, now)) return known!;
  if (counts.isWarm) return null;
  const ofPods = saidByPod(counts) ?? pods.find((pod) => troubles(pod))?.trouble;
  const trouble = ofPods ?? refused(context);
  if (trouble === null) return null;
  const key = model.metadata.uid ?? nameOf(model);
  if (isStale(trouble, known, now)) return null;
  return follow(trouble, known, { key, now });
}

function saidByPod({ failed }: PodCounts): Trouble | null {
  if (failed === null) return null;
  const { pod, model } = failed;
  const said = model.trouble ?? { reason: 'LoadFailed', message: 'The pod could not load it.' };
  return { ...said, pod };
}

function refused({ refusal }: LoadContext): Trouble | null {
  return refusal === null ? null : { reason: 'Unschedulable', message: refusal };
}

function troubles({ isLeaving, trouble }: ObservedPod): boolean {
  return !isLeaving && trouble !== null;
}

/** Whether a pod tells of the attempt before still. */
function isStale({ reason }: Trouble, known: Failure | undefined, now: number): boolean {
  if (known?.reason !== reason || !LOAD_REASONS.includes(reason)) return false;
  const retryAt = fromTime(known.retryAt);
  return retryAt !== null && now >= retryAt && now < retryAt + STALE_ANSWER_MS;
}
