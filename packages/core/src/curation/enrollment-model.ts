import { activeFaceModel } from '../models/active-face-model.ts';
import { InferenceUnavailable } from '../models/model-errors.ts';
import type { ModelStore } from '../models/model-store.ts';
import { type FaceAction, mayEnroll } from './face-action.ts';

/**
 * The active face model, for which the actions of one use case make references: asked for once, and
 * again after it has changed.
 */
export class EnrollmentModel {
  readonly #models: Pick<ModelStore, 'active'>;
  readonly #signal: AbortSignal | undefined;
  #id: Promise<number | null> | null = null;

  constructor(models: Pick<ModelStore, 'active'>, signal: AbortSignal | undefined) {
    this.#models = models;
    this.#signal = signal;
  }

  /** Null if none is active, or if the action makes no reference. */
  async id(action: FaceAction): Promise<number | null> {
    return mayEnroll(action) ? (this.#id ??= this.#ask()) : null;
  }

  /**
   * Runs an attempt with the id. If another model becomes active meanwhile, there is a second attempt.
   *
   * @throws what the attempt throws
   */
  async use<T>(action: FaceAction, attempt: (id: number | null) => Promise<T>): Promise<T> {
    try {
      return await attempt(await this.id(action));
    } catch (error) {
      if (!(error instanceof InferenceUnavailable)) throw error;
      this.#id = null;
      return attempt(await this.id(action));
    }
  }

  async #ask(): Promise<number | null> {
    const model = await activeFaceModel(this.#models, this.#signal);
    return model?.id ?? null;
  }
}
