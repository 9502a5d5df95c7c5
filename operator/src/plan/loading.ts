import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import type { Demand } from './demands.ts';
import {
  type LastFailure,
  type FailureReason,
  follow,
  isPaused,
  postpone,
  type Failure,
} from './failures.ts';
import { isVerified } from './fetch.ts';
import { nameOf } from './hosts.ts';
import { isAnswering, type PodCounts } from './pod-counts.ts';
import { revisionOf } from './roles.ts';
import type { ObservedPod } from './snapshot.ts';
import { fromTime } from './time.ts';

/** The failures that a pod reports for a single model, while it continues to serve its other models. */
const LOAD_REASONS: readonly FailureReason[] = [
  'LoadFailed',
  'NoSpace',
  'OutOfDeviceMemory',
  'WarmUpFailed',
];
/** How long pods may still report the failure of the previous attempt after a new attempt has begun, in ms. */
const STALE_ANSWER_MS = 3_000;

/** A model and the demand for it. */
export interface Loadable {
  readonly model: InferenceModel;
  readonly demand: Demand;
}

/**
 * The last failure to load a model. Undefined until its pack is verified, because until then the last failure in the
 * status is one of the fetch.
 */
export function knownFailure(model: InferenceModel): LastFailure | undefined {
  return isVerified(model) ? model.status?.lastFailure : undefined;
}

/**
 * The models that the pods of a host do not load until a pause is over, because an attempt failed. Meanwhile the models in
 * use have all the memory, and a restarted pod becomes ready without the deferred models. A model is never deferred while
 * it is active or requests may still name it.
 */
export function deferredModels(
  models: readonly Loadable[],
  { now, pods }: { readonly now: number; readonly pods: readonly ObservedPod[] },
): ReadonlySet<InferenceModel> {
  const suspects = memorySuspects(models);
  const isKilled = outOfMemory(pods) !== null;
  const isHeld = ({ model, demand }: Loadable): boolean => {
    if (!isPending(demand)) return false;
    const known = knownFailure(model);
    if (!suspects.includes(model)) {
      return known?.reason !== 'OutOfMemory' && isPausedLoad(known, now);
    }
    const lacksMemory = isKilled && !pods.some((pod) => isAnswering(pod, revisionOf(model)));
    return lacksMemory || isPausedLoad(known, now);
  };
  return new Set(models.filter(isHeld).map(({ model }) => model));
}

function isPausedLoad(known: LastFailure | undefined, now: number): boolean {
  if (known?.reason === undefined || !isPaused(known, now)) return false;
  return isOfLoading(known.reason);
}

function isOfLoading(reason: FailureReason): boolean {
  return reason === 'OutOfMemory' || LOAD_REASONS.includes(reason);
}

function isPending({ keep, role }: Demand): boolean {
  return keep === 'loaded' && (role === null || role === 'desired');
}

/**
 * The models to blame if pods run out of memory: the desired models of routes or, if there are none, all other models
 * that the pods load without using them. Models in use are not to blame, because the memory was enough for them
 * before.
 */
function memorySuspects(models: readonly Loadable[]): readonly InferenceModel[] {
  const mayAnswer = ({ demand }: Loadable) => demand.keep === 'loaded' && !isPending(demand);
  if (!models.some(mayAnswer)) return [];
  const pending = models.filter(({ model, demand }) => isPending(demand) && isVerified(model));
  const desired = pending.filter(({ demand }) => demand.role === 'desired');
  return (desired.length > 0 ? desired : pending).map(({ model }) => model);
}

export interface LoadContext {
  readonly now: number;
  readonly demand: Demand;
  readonly counts: PodCounts;
  readonly pods: readonly ObservedPod[];
  /** Whether the pods should not load the model for now, because an attempt failed. They retry after a pause. */
  readonly isDeferred: boolean;
  /** The API server's rejection of new or changed pods; null if there is none. */
  readonly refusal: Failure | null;
}

/** Why the pods have not loaded a model that they should load; null if they have loaded it or are still trying. */
export function loadFailure(model: InferenceModel, context: LoadContext): LastFailure | null {
  if (context.isDeferred) return deferredFailure(model, context);
  if (context.counts.isWarm) return null;
  const known = knownFailure(model);
  const failure = reportedFailure(context, known);
  if (failure === null || isStale(failure, known, context.now)) return null;
  return follow(failure, known, occasionOf(model, context));
}

function deferredFailure(model: InferenceModel, context: LoadContext): LastFailure | null {
  const known = knownFailure(model);
  if (known !== undefined && isPausedLoad(known, context.now)) return known;
  const failure = outOfMemory(context.pods);
  if (failure === null) return null;
  const occasion = occasionOf(model, context);
  // The pods have been short of memory since the last failure, so the model was not tried again, and this is not
  // another failure of the model.
  const isUntried = model.status?.state === 'Failed' && known?.reason === failure.reason;
  return isUntried ? postpone(known, occasion) : follow(failure, known, occasion);
}

function occasionOf(model: InferenceModel, { now }: LoadContext) {
  return { key: model.metadata.uid ?? nameOf(model), now };
}

function reportedFailure(context: LoadContext, known: LastFailure | undefined): Failure | null {
  const { counts, pods, refusal } = context;
  const blamed = pods.find((pod) => hasFailure(pod) && concernsModel(pod, { ...context, known }));
  return modelFailure(counts) ?? blamed?.failure ?? refusal;
}

/**
 * Whether the failure of a pod counts as a failure of the model. A failure to load a pending model does not count if
 * another pod has loaded the model. If it counted, the model would be deferred and unloaded from that pod.
 */
function concernsModel(
  { failure, endedAt }: ObservedPod,
  context: LoadContext & { readonly known: LastFailure | undefined },
): boolean {
  const { known, now, demand, counts } = context;
  const { reason } = failure!;
  if (isOfLoading(reason) && isPending(demand) && counts.answering > 0) return false;
  if (endedAt === null || known?.reason !== reason) return true;
  // The pod ended before the last attempt began, so its failure has been counted already.
  const retryAt = fromTime(known.retryAt);
  return retryAt === null || now < retryAt || endedAt >= retryAt;
}

function modelFailure({ failed }: PodCounts): Failure | null {
  if (failed === null) return null;
  const { pod, model } = failed;
  const reported = model.failure ?? {
    reason: 'LoadFailed',
    message: 'The pod could not load the model.',
  };
  return { ...reported, pod };
}

/** Whether a pod has a failure that keeps it from running. */
export function hasFailure({ isTerminating, failure }: ObservedPod): boolean {
  return !isTerminating && failure !== null;
}

/** The failure of pods that run out of memory; null if there is none. */
function outOfMemory(pods: readonly ObservedPod[]): Failure | null {
  const staying = pods.filter((pod) => hasFailure(pod) && pod.endedAt === null);
  return staying.find(({ failure }) => failure?.reason === 'OutOfMemory')?.failure ?? null;
}

/** Whether a pod may still report the failure of the previous attempt. */
function isStale({ reason }: Failure, known: LastFailure | undefined, now: number): boolean {
  if (known?.reason !== reason || !LOAD_REASONS.includes(reason)) return false;
  const retryAt = fromTime(known.retryAt);
  return retryAt !== null && now >= retryAt && now < retryAt + STALE_ANSWER_MS;
}
