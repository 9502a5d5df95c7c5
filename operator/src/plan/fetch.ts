import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { isTrue } from './conditions.ts';
import type { Keep } from './demands.ts';
import { type LastFailure, isPaused, toLastFailure, type Failure } from './failures.ts';
import { fingerprint } from './fingerprint.ts';
import { nameOf } from './hosts.ts';
import { revisionOf } from './roles.ts';
import type { FetchEnd, ObservedFetch, StoredPack } from './snapshot.ts';

/** The annotation that requests a retry after a final failure. Each new value requests one retry. */
export const RETRY_ANNOTATION = 'sightline.dev/retry';

/** The plan for the Job that fetches a model. */
export interface FetchPlan {
  /**
   * `make` creates a missing Job. `renew` also replaces an existing Job if its intent has changed. `remove` deletes the Job.
   * `leave` changes nothing.
   */
  readonly job: 'make' | 'renew' | 'remove' | 'leave';
  readonly attempt: number;
  /** The fingerprint of the model source in the spec. */
  readonly source: string;
  /** The verified pack in the model store; null if there is none. */
  readonly pack: StoredPack | null;
  /** The failure of the last attempt; null if it did not fail. */
  readonly lastFailure: LastFailure | null;
  /** The failure that keeps the Job's pod from running now; null if there is none. */
  readonly failure: Failure | null;
  readonly progress: ObservedFetch['progress'];
  readonly startedAt: number | null;
}

export interface FetchContext {
  readonly now: number;
  readonly keep: Keep;
  readonly isInstalled: boolean;
  readonly requireDigests: boolean;
  readonly job: ObservedFetch | undefined;
}

/** Identifies the source of a fetch. The operator fetches again at once after the fingerprint has changed. */
export function sourceFingerprint(model: InferenceModel): string {
  const { task, packName, source } = model.spec;
  const retry = model.metadata.annotations?.[RETRY_ANNOTATION];
  return fingerprint({ task, packName, source, revision: model.spec.revision, retry });
}

/** Whether the model store has the pack, according to the status. */
export function isVerified({ status }: InferenceModel): boolean {
  return status?.pack?.revision !== undefined && isTrue(status.conditions, 'Verified');
}

/** Plans the fetch of a model into the model store. */
export function planFetch(model: InferenceModel, context: FetchContext): FetchPlan {
  const { job, keep, now } = context;
  const plan = planOf(model, job);
  const pack = packOf(model, keep);
  if (pack !== null) return { ...plan, job: 'remove', pack };
  if (keep === 'nothing') return { ...plan, job: 'remove' };
  const refusal = refusalOf(model, context);
  if (refusal !== null) {
    return { ...plan, job: 'remove', lastFailure: refusalFailure(model, refusal, now) };
  }
  if (job === undefined) return planFirst(model, context, plan);
  if (job.isTerminating) return { ...plan, lastFailure: pausedFailure(model, now) };
  // A changed source is fetched at once, even if the previous Job has just failed.
  if (job.source !== plan.source) return { ...plan, job: 'renew', attempt: 1 };
  if (job.end === null) return planRunning(job, { ...plan, job: runningJob(job, context) });
  return planEnded(model, job.end, { ...plan, now });
}

/**
 * The verified pack of a model; null if there is none, or if the model store need not keep it. A suspended model keeps its
 * pack.
 */
function packOf(model: InferenceModel, keep: Keep): StoredPack | null {
  if (!isVerified(model) || (keep === 'nothing' && !model.spec.suspend)) return null;
  return model.status?.pack ?? null;
}

function planOf(model: InferenceModel, job: ObservedFetch | undefined): FetchPlan {
  return {
    job: 'leave',
    attempt: job?.attempt ?? 1,
    source: sourceFingerprint(model),
    pack: null,
    lastFailure: null,
    failure: null,
    progress: null,
    startedAt: null,
  };
}

/** Plans a fetch that has no Job. The next attempt begins once the pause after the last failure is over. */
function planFirst(
  model: InferenceModel,
  { now, isInstalled }: FetchContext,
  plan: FetchPlan,
): FetchPlan {
  const { lastFailure } = model.status ?? {};
  if (!isInstalled) return plan;
  // The operator keeps the Job after a final failure. If the Job is missing, a person deleted it to request a retry.
  if (lastFailure?.retryAt !== undefined && isPaused(lastFailure, now) && isOfFetch(lastFailure)) {
    return { ...plan, lastFailure };
  }
  const attempt = isOfFetch(lastFailure) ? (lastFailure?.count ?? 0) + 1 : 1;
  return { ...plan, job: 'make', attempt };
}

function runningJob({ failure }: ObservedFetch, { isInstalled }: FetchContext): FetchPlan['job'] {
  if (!isInstalled) return 'leave';
  // The pod may be stuck with an image or a Secret that the installation has replaced by now, so a changed Job
  // replaces it.
  return failure === null ? 'make' : 'renew';
}

function planRunning(job: ObservedFetch, plan: FetchPlan): FetchPlan {
  const { progress, failure, startedAt } = job;
  return { ...plan, progress, failure, startedAt };
}

function planEnded(
  model: InferenceModel,
  end: FetchEnd,
  { now, ...plan }: FetchPlan & { readonly now: number },
): FetchPlan {
  const failure = 'failure' in end ? end.failure : revisionMismatch(model, end.pack);
  if (failure === null) return { ...plan, pack: 'pack' in end ? end.pack : null };
  const key = model.metadata.uid ?? nameOf(model);
  const lastFailure = toLastFailure(failure, { key, count: plan.attempt, at: end.at });
  return { ...plan, job: isPaused(lastFailure, now) ? 'leave' : 'remove', lastFailure };
}

/**
 * The failure of a fetch that stored another revision than this model has; null if the revisions match or the model
 * has none yet. The fetch program checks the revision as well, before it stores anything.
 */
function revisionMismatch(model: InferenceModel, pack: StoredPack): Failure | null {
  const known = revisionOf(model);
  if (known === null || known === pack.revision) return null;
  const message = `The source has the revision ${pack.revision ?? 'unknown'}, but this model has ${known}. Create another InferenceModel for it.`;
  return { reason: 'RevisionMismatch', message };
}

function refusalOf({ spec, status }: InferenceModel, context: FetchContext): Failure | null {
  const { starter, store, sha256 } = spec.source;
  const isNamed = [starter, store, sha256, spec.revision, status?.pack?.revision].some(
    (given) => given !== undefined,
  );
  if (!context.requireDigests || isNamed) return null;
  const message = 'This operator fetches no model without a digest: set source.sha256 or revision.';
  return { reason: 'DigestRequired', message };
}

function refusalFailure(model: InferenceModel, refusal: Failure, now: number): LastFailure {
  const { lastFailure } = model.status ?? {};
  if (lastFailure?.reason === refusal.reason) return lastFailure;
  return toLastFailure(refusal, { key: nameOf(model), count: 1, at: now });
}

function pausedFailure({ status }: InferenceModel, now: number): LastFailure | null {
  const { lastFailure } = status ?? {};
  return lastFailure !== undefined && isPaused(lastFailure, now) ? lastFailure : null;
}

const OTHER_REASONS = ['PodsOfMissing', 'InstallationMissing', 'DigestRequired'];

function isOfFetch(failure: LastFailure | undefined): boolean {
  return failure?.reason !== undefined && !OTHER_REASONS.includes(failure.reason);
}
