import type { ActiveModel } from './model.ts';
import type { PublishedFile } from './model-source.ts';

/** The facts about a model that are known before its download. The name is unique in the catalog. */
export interface CatalogEntry extends Omit<ActiveModel, 'revision' | 'similarityCalibration'> {
  /** Class names by class id; empty if the model's files contain them. */
  readonly classes: readonly string[];
  /** Empty if the model is not published in a form that can be downloaded. */
  readonly files: readonly PublishedFile[];
}
