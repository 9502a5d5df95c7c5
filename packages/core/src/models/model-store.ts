import type { NewReembed } from '../jobs/job.ts';
import type { ActiveModel } from './model.ts';

/**
 * A model that has a database row. A model whose files change gets a new row. The row does not contain the permission
 * for commercial use, which only a loaded model reports.
 */
export interface RegisteredModel extends Omit<
  ActiveModel,
  'commercialUse' | 'commercialUseReason'
> {
  readonly id: number;
}

/** Stores the models of the installation and their roles. All methods throw StoreUnavailable. */
export interface ModelStore {
  /** Inserts models that inference has found, unless they have rows. Returns all rows in the order of the models. */
  register(models: readonly ActiveModel[]): Promise<readonly RegisteredModel[]>;
  /** The active models, at most one per task. */
  active(signal?: AbortSignal): Promise<readonly RegisteredModel[]>;
  roles(signal?: AbortSignal): Promise<ModelRoles>;
  /**
   * Makes a model the active one of its slot. In the same transaction, it ends unfinished reembedding jobs of other
   * models and creates jobs for environments with faces that lack the model's embeddings. Transactions that store
   * embeddings of the previous model end before the switch. Later ones need {@link backfill}.
   *
   * @returns false, without a change, if more images with enrolled faces lack embeddings than the options allow
   * @throws Error if the model is not downloaded; InferenceUnavailable if it has to be pending and is not
   */
  activate(modelId: number, options?: ActivateOptions): Promise<boolean>;
  /**
   * Finds the face models of an archive, whose vectors are about to be imported. A model that this installation lacks gets
   * a row of the environment, unless it has one. No process can load such a foreign model, no request sees it, and no
   * other environment uses its row. The row is deleted with its last vector.
   *
   * @param most the most foreign models that the environment may have
   */
  adopt(
    environmentId: number,
    models: readonly ForeignModel[],
    most: number,
  ): Promise<AdoptedModels>;
  /**
   * Moves the vectors and references of foreign models to the installation's models with the same name and digest. If
   * the archive claimed another length, vectors are deleted instead; those of enrolled faces only after the face has a
   * vector of the installation's model, so that the face stays enrolled. Finally, foreign models without vectors are
   * deleted.
   */
  joinForeign(signal?: AbortSignal): Promise<void>;
  /**
   * Creates jobs that embed the faces of one environment, if the model is active. Otherwise it does nothing, because
   * the switch to the next model creates such jobs. An unfinished job with the same params is restarted instead of a
   * second job.
   *
   * @param jobsFor returns the jobs; called with an empty list if no face lacks embeddings or references
   */
  backfill(
    behind: { readonly environmentId: number; readonly modelId: number },
    jobsFor: JobsForBehind,
  ): Promise<void>;
}

/** The roles of models. Each list has at most one model per slot. */
export interface ModelRoles {
  readonly active: readonly RegisteredModel[];
  /** Models that unfinished activations will make active. */
  readonly pending: readonly RegisteredModel[];
  /** Models that were replaced within the last minute. Requests that began with them may end with them. */
  readonly previous: readonly RegisteredModel[];
}

export interface ActivateOptions {
  /** Returns the jobs for environments with faces that lack embeddings; if absent, no job is created. */
  readonly jobsFor?: JobsForBehind | undefined;
  /** The most images with enrolled faces that may lack embeddings at the switch; if absent, there is no limit. */
  readonly mayBeBehind?: number | undefined;
  /** Why the active model is rolled back to this one; absent if the switch is no rollback. */
  readonly rolledBack?: string | undefined;
  /** Whether the switch fails unless an unfinished activation of the model exists; default: false. */
  readonly whilePending?: boolean | undefined;
}

/** A face model of another installation, as an imported archive describes it. */
export type ForeignModel = Pick<ActiveModel, 'name' | 'revision'> & {
  readonly embeddingDim: number;
};

/**
 * The ids of an archive's models, in their order. `contradicting`: this installation or the environment knows one of them
 * with another length of its vectors. `too_many`: the environment would have more foreign models than allowed. Both
 * insert nothing.
 */
export type AdoptedModels =
  | { readonly kind: 'adopted'; readonly ids: readonly number[] }
  | { readonly kind: 'contradicting' | 'too_many' };

/**
 * An environment with faces that lack an embedding of a model, or lack a reference of the model although they have
 * references of another model.
 */
export interface EnvironmentBehind {
  readonly environmentId: number;
  /** The number of images with faces that lack embeddings or references. */
  readonly images: number;
  /** The number of images in which such a face is enrolled. */
  readonly enrolledImages: number;
}

/** Returns the jobs for these environments. A store may call it several times with different environments. */
export type JobsForBehind = (behind: readonly EnvironmentBehind[]) => readonly NewReembed[];
