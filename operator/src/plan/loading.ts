import type { InferenceModel } from '@sightline/kube/resources/inference-model';
import type { Demand } from './demands.ts';
import { type Failure, type FailureReason, follow, isPaused, type Trouble } from './failures.ts';
import { isVerified } from './fetch.ts';
import { nameOf } from './hosts.ts';
import type { PodCounts } from './pod-counts.ts';
import type { ObservedPod } from './snapshot.ts';
import { fromTime } from './time.ts';

/** What pods say of one model alone: without it they go on, and are ready. */
const LOAD_REASONS: readonly FailureReason[] = [
  'LoadFailed',
  'NoSpace',
  'OutOfDeviceMemory',
  'WarmUpFailed',
];
/** What pods say of the attempt before lasts so long after a new one has begun, in ms. */
const STALE_ANSWER_MS = 3_000;

/** A model, and what is wanted of it. */
export interface Loadable {
  readonly model: InferenceModel;
  readonly demand: Demand;
}

/** What a model has failed of since its pack is verified. */
export function knownFailure(model: InferenceModel): Failure | undefined {
  return isVerified(model) ? model.status?.lastFailure : undefined;
}

/**
 * The models that are left out of the pods of a host, because these could not load them, until a pause is over: so what
 * answers has the memory for itself, and pods that restart wait for it alone. What answers, or may be asked still, is
 * never left out.
 */
export function heldBack(
  models: readonly Loadable[],
  { now, pods }: { readonly now: number; readonly pods: readonly ObservedPod[] },
): ReadonlySet<InferenceModel> {
  const takers = memoryTakers(models);
  const isKilled = outOfMemory(pods) !== null;
  const isHeld = ({ model, demand }: Loadable): boolean => {
    if (!isComing(demand)) return false;
    const known = knownFailure(model);
    if (!takers.includes(model)) {
      return known?.reason !== 'OutOfMemory' && isPausedLoad(known, now);
    }
    return isKilled || isPausedLoad(known, now);
  };
  return new Set(models.filter(isHeld).map(({ model }) => model));
}

function isPausedLoad(known: Failure | undefined, now: number): known is Failure {
  if (known?.reason === undefined || !isPaused(known, now)) return false;
  return known.reason === 'OutOfMemory' || LOAD_REASONS.includes(known.reason);
}

function isComing({ keep, role }: Demand): boolean {
  return keep === 'loaded' && (role === null || role === 'wanted');
}

/** The models for which pods lack memory that had enough for what answers: those that a route wants, else all others. */
function memoryTakers(models: readonly Loadable[]): readonly InferenceModel[] {
  const mayAnswer = ({ demand }: Loadable) => demand.keep === 'loaded' && !isComing(demand);
  if (!models.some(mayAnswer)) return [];
  const coming = models.filter(({ model, demand }) => isComing(demand) && isVerified(model));
  const wanted = coming.filter(({ demand }) => demand.role === 'wanted');
  return (wanted.length > 0 ? wanted : coming).map(({ model }) => model);
}

export interface LoadContext {
  readonly now: number;
  readonly counts: PodCounts;
  readonly pods: readonly ObservedPod[];
  /** It is left out of the pods. */
  readonly isHeldBack: boolean;
  /** Why there cannot be more pods, or other ones; null: there can. */
  readonly refusal: Trouble | null;
}

/** Why the pods do not hold a model that they should; null: they do, or are about to. */
export function loadFailure(model: InferenceModel, context: LoadContext): Failure | null {
  const { now, counts, isHeldBack } = context;
  const known = knownFailure(model);
  if (isHeldBack && isPausedLoad(known, now)) return known;
  if (counts.isWarm && !isHeldBack) return null;
  const trouble = isHeldBack ? outOfMemory(context.pods) : troubleOf(context);
  if (trouble === null || isStale(trouble, known, now)) return null;
  return follow(trouble, known, { key: model.metadata.uid ?? nameOf(model), now });
}

function troubleOf({ counts, pods, refusal }: LoadContext): Trouble | null {
  return saidByPod(counts) ?? pods.find((pod) => troubles(pod))?.trouble ?? refusal;
}

function saidByPod({ failed }: PodCounts): Trouble | null {
  if (failed === null) return null;
  const { pod, model } = failed;
  const said = model.trouble ?? { reason: 'LoadFailed', message: 'The pod could not load it.' };
  return { ...said, pod };
}

function troubles({ isLeaving, trouble }: ObservedPod): boolean {
  return !isLeaving && trouble !== null;
}

function outOfMemory(pods: readonly ObservedPod[]): Trouble | null {
  const killed = pods.find((pod) => troubles(pod) && pod.trouble?.reason === 'OutOfMemory');
  return killed?.trouble ?? null;
}

/** Whether a pod tells of the attempt before still. */
function isStale({ reason }: Trouble, known: Failure | undefined, now: number): boolean {
  if (known?.reason !== reason || !LOAD_REASONS.includes(reason)) return false;
  const retryAt = fromTime(known.retryAt);
  return retryAt !== null && now >= retryAt && now < retryAt + STALE_ANSWER_MS;
}
