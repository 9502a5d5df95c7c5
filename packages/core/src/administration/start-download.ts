import type { Database, Settle, Transaction } from '../database/database.ts';
import { type Job, MAX_COUNT } from '../jobs/job.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import type { ListedModel } from '../models/catalog-store.ts';
import type { ModelDeclarations } from '../models/declared-models.ts';
import { NoModelStore, NoSource } from '../models/model-errors.ts';
import { MODEL_LIFE } from '../models/model-life.ts';

export interface StartDownloadDeps {
  readonly database: Database;
  /** Whether all processes that run models can read downloaded packs. If not, no model can be downloaded. */
  readonly hasPackStore: boolean;
  /**
   * Writes the model requests of callers into Kubernetes objects; null if the database decides which models are
   * active.
   */
  readonly declarations: ModelDeclarations | null;
}

export interface DownloadRequest {
  readonly scope: Scope;
  readonly modelId: number;
  /** Whether the caller states that they accept the license of the model. */
  readonly acceptsLicense: boolean;
}

type StartedDownload = Pick<Job, 'id' | 'status'>;

interface StartOptions {
  readonly signal: AbortSignal;
  readonly settle?: Settle<StartedDownload> | undefined;
}

/**
 * Creates a job that downloads a model, or verifies the files if they were downloaded before. If the model has an
 * unfinished job, returns that job. If models are declared as Kubernetes objects, the cluster downloads the model, and
 * the job follows the progress.
 *
 * @throws NotFound, NoSource, NoModelStore, ActivationDeclared, TooManyJobs, StoreUnavailable
 */
export async function startDownload(
  { database, hasPackStore, declarations }: StartDownloadDeps,
  { scope, modelId, acceptsLicense }: DownloadRequest,
  options: StartOptions,
): Promise<StartedDownload> {
  if (declarations !== null) {
    const { signal } = options;
    const listed = await database.withScope(scope, ({ models }) => models.byId(modelId), signal);
    if (listed === null) throw new NotFound('model', modelId);
    await declarations.keep(listed, signal);
  }
  return database.withEntities(
    { ...scope, locks: [] },
    async (tx) => {
      const model = await tx.models.lock(modelId);
      if (model === null) throw new NotFound('model', modelId);
      if (declarations === null && model.files.length === 0) throw new NoSource();
      if (!hasPackStore) throw new NoModelStore();
      const started = (await runningDownload(tx, model)) ?? (await createJob(tx, model));
      const details = acceptsLicense ? { accepted_license: model.license } : {};
      await tx.audit({ entity: 'model', action: 'download', ids: [modelId], details });
      await options.settle?.(tx, started);
      return started;
    },
    options.signal,
  );
}

async function runningDownload(
  tx: Transaction,
  { id: modelId, downloadJobId: id }: ListedModel,
): Promise<StartedDownload | null> {
  const own = await tx.jobs.unfinishedDownload(modelId);
  if (own !== null || id === null) return own;
  // The job belongs to another environment, so its real status is not returned.
  return { id, status: 'running' };
}

async function createJob(tx: Transaction, { id, status, files }: ListedModel): Promise<Job> {
  const bytes = files.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
  const job = await tx.jobs.create({
    type: 'model_download',
    params: { modelId: id },
    items: [{ input: {} }],
    total: Math.min(bytes, MAX_COUNT),
  });
  if (MODEL_LIFE[status].download !== null) await tx.models.beginDownload(id, job.id);
  return job;
}
