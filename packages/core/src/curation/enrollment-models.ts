import { InferenceUnavailable } from '../models/model-errors.ts';
import type { ModelStore, RegisteredModel } from '../models/model-store.ts';
import { type FaceAction, mayEnroll } from './face-action.ts';

/** The face models for which a person's decision adds references. */
export interface ModelsToEnrollFor {
  /** The id of the active face model; null if no face model is active, or the decision adds no reference. */
  readonly modelId: number | null;
  /** The id of the pending face model; null if there is none. */
  readonly pendingId: number | null;
}

const NONE: ModelsToEnrollFor = { modelId: null, pendingId: null };

/**
 * Reads the face models for which the actions of one use case add references. The models are read once, and read again
 * after they have changed.
 */
export class EnrollmentModels {
  readonly #models: Pick<ModelStore, 'roles'>;
  readonly #signal: AbortSignal | undefined;
  #known: Promise<ModelsToEnrollFor> | null = null;

  constructor(models: Pick<ModelStore, 'roles'>, signal: AbortSignal | undefined) {
    this.#models = models;
    this.#signal = signal;
  }

  async of(action: FaceAction): Promise<ModelsToEnrollFor> {
    return mayEnroll(action) ? (this.#known ??= this.#ask()) : NONE;
  }

  /**
   * Runs an attempt with the models. If another model becomes active during the attempt, runs it once more.
   *
   * @throws the errors of the attempt
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
