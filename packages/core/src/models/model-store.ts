import type { ActiveModel, ModelTask } from './model.ts';

/** A model as a row: changed bytes are another row. */
export interface RegisteredModel extends ActiveModel {
  readonly id: number;
}

/** The models that the installation knows. Throws StoreUnavailable. */
export interface ModelStore {
  /** Answers the rows of these models, in their order; new ones are added. */
  register(models: readonly ActiveModel[]): Promise<readonly RegisteredModel[]>;
  /** The models that were activated last, at most one per task. */
  active(signal?: AbortSignal): Promise<readonly RegisteredModel[]>;
  activate(task: ModelTask, modelId: number): Promise<void>;
}
