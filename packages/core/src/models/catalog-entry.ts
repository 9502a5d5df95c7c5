import type { CommercialUse, FaceAttribute, ModelTask } from './model.ts';
import type { PublishedFile } from './model-source.ts';

/** What the catalog tells of a model before its files are there. */
export interface CatalogEntry {
  /** Name of the pack; unique in the catalog. */
  readonly name: string;
  readonly task: ModelTask;
  readonly version: string;
  readonly license: string;
  readonly commercialUse: CommercialUse;
  /** One sentence; null if the license says it all. */
  readonly commercialUseReason: string | null;
  readonly provides: readonly FaceAttribute[];
  /** Length of an embedding; null for models without embeddings. */
  readonly embeddingDim: number | null;
  /** Class names by class id; empty if the files tell them. */
  readonly classes: readonly string[];
  /** None: the model is not published in a form that can be downloaded. */
  readonly files: readonly PublishedFile[];
}
