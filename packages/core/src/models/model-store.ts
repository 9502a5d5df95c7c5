import type { NewReembed } from '../jobs/job.ts';
import type { ActiveModel } from './model.ts';

/**
 * A model with its row: changed bytes are another row. What its use is allowed for is told by the
 * loaded model alone.
 */
export interface RegisteredModel extends Omit<
  ActiveModel,
  'commercialUse' | 'commercialUseReason'
> {
  readonly id: number;
}

/** The models that the installation knows. Throws StoreUnavailable. */
export interface ModelStore {
  /** Answers the rows of these models, which inference has found, in their order; adds new ones. */
  register(models: readonly ActiveModel[]): Promise<readonly RegisteredModel[]>;
  /** The active models, at most one per task. */
  active(signal?: AbortSignal): Promise<readonly RegisteredModel[]>;
  /** Which models count now. */
  roles(signal?: AbortSignal): Promise<ModelRoles>;
  /**
   * Makes a model the active one of its slot, instead of the previous one, and creates the jobs that
   * bring stored faces up to it; those of the previous model end. All of it happens in one transaction: no
   * request sees the model without knowing which environments are behind. Transactions that store with the
   * previous model have ended by then; of later ones the next `bringUp` tells.
   *
   * @returns false if more images with enrolled faces are behind than the options allow; nothing has changed
   * @throws Error if the model is not downloaded
   */
  activate(modelId: number, options?: ActivateOptions): Promise<boolean>;
  /**
   * Answers the rows of face models that made vectors elsewhere, in their order; adds those that are not
   * known, which no process can load. Null if one of them makes vectors of another length here: none is
   * added then.
   */
  adopt(models: readonly ForeignModel[]): Promise<readonly number[] | null>;
  /**
   * Creates the jobs that bring the faces of one environment up to a model, if it is the active one: else
   * its successor has brought them up, or will. An unfinished job of the same params looks at all images
   * again instead.
   *
   * @param jobsFor the jobs, if the environment is behind
   */
  bringUp(
    behind: { readonly environmentId: number; readonly modelId: number },
    jobsFor: JobsForBehind,
  ): Promise<void>;
}

/** Models of which requests are answered, each slot at most one: that of faces and that of objects. */
export interface ModelRoles {
  readonly active: readonly RegisteredModel[];
  /** What is to become the active one. */
  readonly pending: readonly RegisteredModel[];
  /** What was the active one until a minute ago: requests that began with it end with it. */
  readonly previous: readonly RegisteredModel[];
}

export interface ActivateOptions {
  /** The jobs, for environments that are behind; absent: none. */
  readonly jobsFor?: JobsForBehind | undefined;
  /** Images with enrolled faces that may be behind; absent: all. */
  readonly mayBeBehind?: number | undefined;
  /** Why the active model is rolled back to this one; absent: it is not. */
  readonly rolledBack?: string | undefined;
}

/** What is known of a face model by the vectors that it made. */
export type ForeignModel = Pick<ActiveModel, 'name' | 'revision'> & {
  readonly embeddingDim: number;
};

/**
 * An environment with faces that are behind a model: without a vector of it, or without a reference of
 * it while they have one of another.
 */
export interface EnvironmentBehind {
  readonly environmentId: number;
  /** Images with such faces. */
  readonly images: number;
  /** Images with such faces that are enrolled. */
  readonly enrolledImages: number;
}

/** May be called again with other environments. */
export type JobsForBehind = (behind: readonly EnvironmentBehind[]) => readonly NewReembed[];
