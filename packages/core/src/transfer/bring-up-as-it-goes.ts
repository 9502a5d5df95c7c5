import type { ModelStore } from '../models/model-store.ts';
import type { ImageToImport } from '../recognition/import/import-run.ts';
import { bringUpToActiveModel } from '../reembedding/bring-up-to-active-model.ts';
import type { Scope } from '../store/scope.ts';

/** Times between two looks at what lacks vectors, in ms: each one reads all faces of the environment. */
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 300_000;

export interface BringUpDeps {
  readonly modelStore: Pick<ModelStore, 'active' | 'bringUp'>;
  readonly now?: () => number;
}

/**
 * Has the faces of an import embedded while it goes on: at the first image that lacks vectors of the active
 * model, and from time to time afterwards. Until its end, matching would not know the people of a large
 * archive.
 */
export class BringUpAsItGoes {
  readonly #deps: BringUpDeps;
  readonly #scope: Scope;
  /** The active face model; null: none is active. */
  readonly #modelId: number | null;
  #due = -Infinity;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(deps: BringUpDeps, scope: Scope, modelId: number | null) {
    this.#deps = deps;
    this.#scope = scope;
    this.#modelId = modelId;
  }

  /**
   * To be called when an image was stored.
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
    this.#due = now() + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    await bringUpToActiveModel(modelStore, this.#scope, signal);
  }
}
