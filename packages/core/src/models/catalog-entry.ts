import type { CommercialUse, FaceAttribute, ModelTask } from './model.ts';
import type { PublishedFile } from './model-source.ts';

/** The facts about a model that are known before its download. */
export interface CatalogEntry {
  /** The name of the model pack; unique in the catalog. */
  readonly name: string;
  readonly task: ModelTask;
  readonly version: string;
  readonly license: string;
  readonly commercialUse: CommercialUse;
  /** One sentence; null if the name of the license is explanation enough. */
  readonly commercialUseReason: string | null;
  readonly provides: readonly FaceAttribute[];
  /** The number of values in an embedding; null for models without embeddings. */
  readonly embeddingDim: number | null;
  /** Class names by class id; empty if the model's files contain them. */
  readonly classes: readonly string[];
  /** Empty if the model is not published in a form that can be downloaded. */
  readonly files: readonly PublishedFile[];
}
