import { setTimeout } from 'node:timers/promises';
import { findDeclared } from '@sightline/core/models/find-declared';
import type { DeclaredModel, DeclaredModels } from '@sightline/core/models/declared-models';
import type { ActiveModel } from '@sightline/core/models/model';
import {
  type FetchedModel,
  ModelFetchFailed,
  type ModelFetcher,
  type FetchOptions,
  type PublishedModel,
} from '@sightline/core/models/model-source';

/**
 * Describes a pack in the model store; null if the store lacks the pack.
 *
 * @throws StoreUnavailable
 */
export type DescribePack = (revision: string, signal: AbortSignal) => Promise<ActiveModel | null>;

export interface DeclaredFetcherDeps {
  /** Verifies packs in the model store. */
  readonly fetcher: Pick<ModelFetcher, 'verify'>;
  readonly describe: DescribePack;
  readonly declared: Pick<DeclaredModels, 'models'>;
}

const POLL_MS = 500;

/** Waits until the cluster has fetched a model, instead of fetching it. */
export class DeclaredFetcher implements ModelFetcher {
  readonly #deps: DeclaredFetcherDeps;

  constructor(deps: DeclaredFetcherDeps) {
    this.#deps = deps;
  }

  verify(revision: string, options: FetchOptions): Promise<boolean> {
    return this.#deps.fetcher.verify(revision, options);
  }

  /**
   * Follows a fetch until it succeeds, fails permanently, or the signal aborts. Other failures are retried by the
   * cluster.
   */
  async fetch(model: PublishedModel, { signal, onProgress }: FetchOptions): Promise<FetchedModel> {
    for (;;) {
      const declared = await this.#find(model);
      if (declared.progress !== null) onProgress(declared.progress);
      const fetched = await this.#fetched(declared, signal);
      if (fetched !== null) return fetched;
      if (declared.failure?.isFinal === true) {
        throw new ModelFetchFailed(declared.failure.message, { reason: 'pack_refused' });
      }
      await setTimeout(POLL_MS, undefined, { signal });
    }
  }

  async #find({ name, task, revision }: PublishedModel): Promise<DeclaredModel> {
    const models = await this.#deps.declared.models();
    const found = findDeclared(models, { name, task, revision: revision ?? null });
    if (found !== undefined) return found;
    throw new ModelFetchFailed(`There is no longer an InferenceModel of the pack ${name}.`, {
      reason: 'not_found',
    });
  }

  async #fetched(
    { packName, revision, bytes, sha256 }: DeclaredModel,
    signal: AbortSignal,
  ): Promise<FetchedModel | null> {
    if (revision === null) return null;
    const model = await this.#deps.describe(revision, signal);
    if (model === null) return null;
    return { model: { ...model, name: packName }, bytes: bytes ?? 0, sha256, warnings: [] };
  }
}
