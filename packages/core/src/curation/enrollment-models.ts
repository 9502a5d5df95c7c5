import { InferenceUnavailable } from '../models/model-errors.ts';
import type { ModelStore, RegisteredModel } from '../models/model-store.ts';
import { type FaceAction, mayEnroll } from './face-action.ts';

/** The face models for which a person's decisions make references. */
export interface ModelsToEnrollFor {
  /** The id of the active face model; null: none is active, or no reference is made. */
  readonly modelId: number | null;
  /** The id of the pending face model; null: there is none. */
  readonly pendingId: number | null;
}

const NONE: ModelsToEnrollFor = { modelId: null, pendingId: null };

/**
 * The face models for which the actions of one use case make references. They are read once, and
 * again after they have changed.
 */
export class EnrollmentModels {
  readonly #models: Pick<ModelStore, 'roles'>;
  readonly #signal: AbortSignal | undefined;
  #known: Promise<ModelsToEnrollFor> | null = null;

  constructor(models: Pick<ModelStore, 'roles'>, signal: AbortSignal | undefined) {
    this.#models = models;
    this.#signal = signal;
  }

  /** None if the action makes no reference. */
  async of(action: FaceAction): Promise<ModelsToEnrollFor> {
    return mayEnroll(action) ? (this.#known ??= this.#ask()) : NONE;
  }

  /**
   * Runs an attempt with the models, and a second one if another model becomes active during the
   * first.
   *
   * @throws what the attempt throws
   */
  async use<T>(action: FaceAction, attempt: (models: ModelsToEnrollFor) => Promise<T>): Promise<T> {
    try {
      return await attempt(await this.of(action));
    } catch (error) {
      if (!(error instanceof InferenceUnavailable)) throw error;
      this.#known = null;
      return attempt(await this.of(action));
    }
  }

  async #ask(): Promise<ModelsToEnrollFor> {
    const { active, pending } = await this.#models.roles(this.#signal);
    return { modelId: idOfFaces(active), pendingId: idOfFaces(pending) };
  }
}

function idOfFaces(models: readonly RegisteredModel[]): number | null {
  return models.find(({ task }) => task === 'face')?.id ?? null;
}
