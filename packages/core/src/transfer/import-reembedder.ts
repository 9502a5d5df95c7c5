import { Backoff } from '../backoff.ts';
import type { ModelStore } from '../models/model-store.ts';
import type { ImageToImport } from '../recognition/import/import-run.ts';
import { backfillActiveModel } from '../reembedding/backfill-active-model.ts';
import type { Scope } from '../store/scope.ts';

/** The pauses between two requests for jobs are long, because each request reads all faces of the environment. */
const PAUSES = { firstMs: 10_000, longestMs: 300_000, jitter: 0 };

export interface ImportReembedderDeps {
  readonly modelStore: Pick<ModelStore, 'active' | 'backfill'>;
  readonly now?: () => number;
}

/**
 * Requests embeddings for the imported faces while an import runs: at the first image that lacks vectors of the active
 * model, and repeatedly afterwards. Otherwise matching could not recognize the people of a large archive before the import
 * has ended.
 */
export class ImportReembedder {
  readonly #deps: ImportReembedderDeps;
  readonly #scope: Scope;
  /** The id of the active face model; null if no face model is active. */
  readonly #modelId: number | null;
  #due = -Infinity;
  readonly #pauses = new Backoff(PAUSES);

  constructor(deps: ImportReembedderDeps, scope: Scope, modelId: number | null) {
    this.#deps = deps;
    this.#scope = scope;
    this.#modelId = modelId;
  }

  /**
   * Called after each image that was stored.
   *
   * @throws StoreUnavailable
   */
  async stored({ detections }: ImageToImport, signal?: AbortSignal): Promise<void> {
    const { modelStore, now = () => performance.now() } = this.#deps;
    const lacks = detections.some(
      ({ type, vectors }) =>
        type === 'face' && vectors.every(({ modelId }) => modelId !== this.#modelId),
    );
    if (!lacks || now() < this.#due) return;
    this.#due = now() + this.#pauses.next();
    await backfillActiveModel(modelStore, this.#scope, signal);
  }
}
