import { type JobProgress, MAX_COUNT } from '@sightline/core/jobs/job';
import type { JobTools, JobWork } from '@sightline/core/jobs/job-work';
import type { CatalogStore, ListedModel } from '@sightline/core/models/catalog-store';
import {
  type FetchedModel,
  type FetchProgress,
  ModelFetchFailed,
  type ModelFetcher,
} from '@sightline/core/models/model-source';
import { NoModelStore } from '@sightline/core/models/model-errors';
import { NotFound } from '@sightline/core/store/not-found';
import type { Logger } from '@sightline/platform/logging/logger';

export interface ModelDownloadJobDeps {
  readonly catalog: Pick<CatalogStore, 'byId' | 'pin'>;
  /** Null if the installation has no store for model packs. */
  readonly fetcher: ModelFetcher | null;
  readonly logger: Logger;
}

/**
 * Downloads a model. If the store already has the model's files, the job only verifies them. A process that takes the
 * job over on the same machine continues the download.
 */
export function modelDownloadJob(deps: ModelDownloadJobDeps): JobWork<'model_download'> {
  return async ({ job }, tools) => {
    const { catalog, fetcher } = deps;
    if (fetcher === null) throw new NoModelStore();
    const { modelId } = job.params;
    const model = await catalog.byId(modelId, tools.signal);
    if (model === null) throw new NotFound('model', modelId);
    using bytes = new ReportedBytes(tools, job);
    const options = { signal: bytes.signal, onProgress: bytes.note };
    try {
      if (await isThere(fetcher, model, options)) {
        await endVerified(tools, bytes);
      } else {
        const fetched = await fetcher.fetch(publishedOf(model), options);
        await keep(deps, { model, fetched }, tools);
      }
    } catch (error) {
      bytes.throwIfReportFailed();
      if (!(error instanceof ModelFetchFailed)) throw error;
      const failure = { code: 'model_fetch_failed', detail: error.message };
      await tools.end({ error: failure, progress: bytes.last });
    }
  };
}

type FetchOptions = Parameters<ModelFetcher['verify']>[1];

async function isThere(
  fetcher: ModelFetcher,
  { revision }: ListedModel,
  options: FetchOptions,
): Promise<boolean> {
  return revision !== null && (await fetcher.verify(revision, options));
}

function endVerified({ end }: JobTools, { last }: ReportedBytes): Promise<void> {
  return end({ progress: { total: last.done, done: last.done, failed: 0 } });
}

function publishedOf(model: ListedModel) {
  const { name, task, files, version, license, commercialUse, commercialUseReason } = model;
  const facts = { version, license, commercialUse, commercialUseReason };
  // A model with a known revision was downloaded before. The new download must have the same revision, because a
  // model with other bytes belongs to another row.
  return { name, task, files, facts, ...(model.revision !== null && { revision: model.revision }) };
}

interface Fetched {
  readonly model: ListedModel;
  readonly fetched: FetchedModel;
}

async function keep(
  { catalog, logger }: ModelDownloadJobDeps,
  { model, fetched }: Fetched,
  tools: JobTools,
): Promise<void> {
  const { name, revision } = fetched.model;
  for (const warning of fetched.warnings) logger.warn({ model: name }, warning);
  const { bytes } = fetched;
  const counted = Math.min(bytes, MAX_COUNT);
  const progress = { total: counted, done: counted, failed: 0 };
  await catalog.pin(
    model.id,
    fetched,
    tools.settle(() => ({ progress })),
  );
  logger.info({ model: name, revision, bytes }, 'a model was downloaded');
}

/** The shortest time between two reports, in ms, because each report is a transaction. */
const REPORT_MS = 500;

/** Reports how many bytes have arrived, one report at a time. Ends the download if a report fails. */
class ReportedBytes implements Disposable {
  readonly #tools: Pick<JobTools, 'report' | 'signal'>;
  readonly #failed = new AbortController();
  #since = -Infinity;
  #state: 'idle' | 'reporting' | 'ended' = 'idle';
  last: JobProgress;

  constructor(tools: Pick<JobTools, 'report' | 'signal'>, { total }: JobProgress) {
    this.#tools = tools;
    this.last = { total, done: 0, failed: 0 };
  }

  get signal(): AbortSignal {
    return AbortSignal.any([this.#tools.signal, this.#failed.signal]);
  }

  readonly note = ({ received, total }: FetchProgress): void => {
    const done = Math.min(received, MAX_COUNT);
    const expected = Math.min(total ?? this.last.total, MAX_COUNT);
    this.last = { total: Math.max(expected, done), done, failed: 0 };
    const now = performance.now();
    if (this.#state !== 'idle' || now - this.#since < REPORT_MS) return;
    this.#since = now;
    void this.#report();
  };

  /** @throws the error of a failed report, which has aborted the download */
  throwIfReportFailed(): void {
    this.#failed.signal.throwIfAborted();
  }

  /** Bytes that arrive after the disposal are not reported. */
  [Symbol.dispose](): void {
    this.#state = 'ended';
  }

  #isReporting(): boolean {
    return this.#state === 'reporting';
  }

  async #report(): Promise<void> {
    this.#state = 'reporting';
    try {
      await this.#tools.report(this.last);
      if (this.#isReporting()) this.#state = 'idle';
    } catch (error) {
      this.#failed.abort(error);
    }
  }
}
