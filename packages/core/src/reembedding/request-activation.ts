import { setTimeout } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import type { ItemFailure, JobStatus } from '../jobs/job.ts';
import type { ActivationStore } from '../models/activation-store.ts';
import { ModelLoadFailed } from '../models/model-errors.ts';
import type { ModelStore, RegisteredModel } from '../models/model-store.ts';
import type { Scope } from '../store/scope.ts';

export interface RequestActivationDeps {
  readonly database: Pick<Database, 'withScope'>;
  readonly activations: Pick<ActivationStore, 'begin'>;
  readonly modelStore: Pick<ModelStore, 'active'>;
}

export interface ActivationRequest {
  /** Of the job. */
  readonly scope: Scope;
  readonly modelId: number;
  readonly reembed: 'before' | 'after';
}

export type ActivationAnswer =
  | {
      readonly kind: 'active';
      readonly model: RegisteredModel;
      /** The active model of the slot before; null: there was none. */
      readonly previousId: number | null;
    }
  | { readonly kind: 'job'; readonly jobId: number; readonly status: JobStatus };

/** How long a caller waits for an activation before it is told of the job, in ms. */
const PATIENCE_MS = 10_000;
const POLL_MS = 100;

/**
 * Has a model made the active one of its slot by a job, and waits a little for that.
 *
 * @throws NotFound, ModelNotDownloaded, ActivationInProgress, TooManyJobs; ModelLoadFailed if a process
 *   cannot load the model; StoreUnavailable; the signal's reason on abort, after which the job goes on
 */
export async function requestActivation(
  { database, activations, modelStore }: RequestActivationDeps,
  { scope, modelId, reembed }: ActivationRequest,
  {
    signal,
    patienceMs = PATIENCE_MS,
  }: { readonly signal: AbortSignal; readonly patienceMs?: number },
): Promise<ActivationAnswer> {
  const { environmentId } = scope;
  const begun = await activations.begin({ modelId, environmentId, reembed });
  const activated = async (previousId: number | null): Promise<ActivationAnswer | null> => {
    const model = (await modelStore.active(signal)).find(({ id }) => id === modelId);
    return model === undefined ? null : { kind: 'active', model, previousId };
  };
  if (begun.kind === 'active') return (await activated(modelId))!;
  const { jobId, previousId } = begun;
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    const { status, hasEnded, failure } = await lookAt(database, { scope, jobId }, signal);
    if (failure?.code === 'model_load_failed') throw new ModelLoadFailed(failure.detail);
    const told = { kind: 'job', jobId, status } as const;
    if (hasEnded) return (await activated(previousId)) ?? told;
    if (performance.now() > giveUpAt) return told;
    await setTimeout(POLL_MS, undefined, { signal });
  }
}

/** One that was deleted had ended before; only the model can tell then what it has brought about. */
async function lookAt(
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
