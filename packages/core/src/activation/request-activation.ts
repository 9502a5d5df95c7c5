import { setTimeout } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { DomainError } from '../domain-error.ts';
import { isOutage } from '../jobs/is-outage.ts';
import type { ItemFailure, JobStatus } from '../jobs/job.ts';
import type { ActivationStore } from '../models/activation-store.ts';
import { ActivationInProgress, ModelLoadFailed } from '../models/model-errors.ts';
import type { ModelDeclarations } from '../models/declared-models.ts';
import { slotOf } from '../models/model-slot.ts';
import type { ModelStore, RegisteredModel } from '../models/model-store.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';

export interface RequestActivationDeps {
  readonly database: Pick<Database, 'withScope'>;
  readonly activations: Pick<ActivationStore, 'begin' | 'pending'>;
  readonly modelStore: Pick<ModelStore, 'active' | 'roles'>;
  /** The declarations of the cluster, which are changed first; null without a cluster. */
  readonly declarations: ModelDeclarations | null;
}

export interface ActivationRequest {
  /** The environment that owns the job. */
  readonly scope: Scope;
  readonly modelId: number;
  readonly reembed: 'before' | 'after';
}

interface RequestOptions {
  readonly signal: AbortSignal;
  readonly answerWithinMs?: number;
}

export type ActivationAnswer =
  | {
      readonly kind: 'active';
      readonly model: RegisteredModel;
      /** The slot's active model before the switch; null if no model was active. */
      readonly previousId: number | null;
    }
  | { readonly kind: 'job'; readonly jobId: number; readonly status: JobStatus };

/**
 * How long a caller waits for the end of an activation, in ms. After the timeout, the caller gets the running job.
 */
const ANSWER_WITHIN_MS = 10_000;
const POLL_MS = 100;

/**
 * Creates a job that makes a model active, and waits some seconds for the job. If a cluster declares the models, the
 * request is written into the declaration first. The declaration is reverted if the activation fails within these
 * seconds.
 *
 * @throws NotFound, ModelNotDownloaded, ActivationInProgress, ActivationDeclared, TooManyJobs; ModelLoadFailed if a
 *   process cannot load the model; StoreUnavailable; the signal's reason on abort, while the job continues
 */
export async function requestActivation(
  deps: RequestActivationDeps,
  request: ActivationRequest,
  options: RequestOptions,
): Promise<ActivationAnswer> {
  const { declarations } = deps;
  if (declarations === null) return begin(deps, request, options);
  const { scope, modelId, reembed } = request;
  const { signal } = options;
  const [model, { pending }] = await Promise.all([
    deps.database.withScope(scope, ({ models }) => models.byId(modelId), signal),
    deps.modelStore.roles(signal),
  ]);
  if (model === null) throw new NotFound('model', modelId);
  const other = pending.find((one) => slotOf(one) === slotOf(model));
  if (other !== undefined && other.id !== modelId) throw new ActivationInProgress();
  const written = await declarations.activate(model, reembed, signal);
  try {
    return await begin(deps, request, options);
  } catch (error) {
    const begun =
      error instanceof ActivationInProgress && (await begunByRollout(deps, request, options));
    if (begun) return begun;
    // The request is reverted only if it was refused. If the caller disconnected or a dependency is unavailable, the
    // activation can still succeed.
    if (error instanceof DomainError && !isOutage(error)) {
      // If the declaration cannot be reverted, the caller still gets the activation's error.
      await written.revert(signal).catch(() => undefined);
    }
    throw error;
  }
}

/**
 * Waits for the activation that the rollout has begun because of the written request. Null if no activation of this
 * model is pending.
 */
async function begunByRollout(
  { activations, modelStore }: RequestActivationDeps,
  { modelId }: ActivationRequest,
  { signal, answerWithinMs = ANSWER_WITHIN_MS }: RequestOptions,
): Promise<ActivationAnswer | null> {
  const giveUpAt = performance.now() + answerWithinMs;
  for (;;) {
    const { active, previous } = await modelStore.roles(signal);
    const model = active.find(({ id }) => id === modelId);
    if (model !== undefined) {
      const before = previous.find((one) => slotOf(one) === slotOf(model));
      return { kind: 'active', model, previousId: before?.id ?? null };
    }
    const job = (await activations.pending()).find((one) => one.modelId === modelId);
    if (job === undefined) return null;
    // The answer does not contain the job's real status, because the job may belong to another environment.
    if (performance.now() > giveUpAt) return { kind: 'job', jobId: job.jobId, status: 'running' };
    await setTimeout(POLL_MS, undefined, { signal });
  }
}

async function begin(
  { database, activations, modelStore }: RequestActivationDeps,
  { scope, modelId, reembed }: ActivationRequest,
  { signal, answerWithinMs = ANSWER_WITHIN_MS }: RequestOptions,
): Promise<ActivationAnswer> {
  const { environmentId, actor } = scope;
  const begun = await activations.begin({ modelId, environmentId, reembed, actor });
  const activated = async (previousId: number | null): Promise<ActivationAnswer | null> => {
    const model = (await modelStore.active(signal)).find(({ id }) => id === modelId);
    return model === undefined ? null : { kind: 'active', model, previousId };
  };
  if (begun.kind === 'active') return (await activated(modelId))!;
  const { jobId, previousId } = begun;
  const giveUpAt = performance.now() + answerWithinMs;
  for (;;) {
    const { status, hasEnded, failure } = await readJob(database, { scope, jobId }, signal);
    if (failure?.code === 'model_load_failed') throw new ModelLoadFailed(failure.detail);
    const job = { kind: 'job', jobId, status } as const;
    if (hasEnded) return (await activated(previousId)) ?? job;
    if (performance.now() > giveUpAt) return job;
    await setTimeout(POLL_MS, undefined, { signal });
  }
}

/** Reads the status of a job. A deleted job had ended, but only the active model shows whether the job succeeded. */
async function readJob(
  database: Pick<Database, 'withScope'>,
  { scope, jobId }: { readonly scope: Scope; readonly jobId: number },
  signal: AbortSignal,
): Promise<{
  readonly status: JobStatus;
  readonly hasEnded: boolean;
  readonly failure: ItemFailure | null;
}> {
  return database.withScope(
    scope,
    async ({ jobs }) => {
      const job = await jobs.byId(jobId);
      if (job === null) return { status: 'failed', hasEnded: true, failure: null };
      const [item] = await jobs.endedItems(jobId, { after: -1, limit: 1 });
      const hasEnded = job.finishedAt !== null;
      return { status: job.status, hasEnded, failure: item?.error ?? null };
    },
    signal,
  );
}
