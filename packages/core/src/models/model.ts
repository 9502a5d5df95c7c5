/** The kind of things that a model detects: faces, objects of fixed classes, or objects that the request describes. */
export type ModelTask = 'face' | 'object' | 'open_vocabulary';

export type FaceAttribute = 'age' | 'gender' | 'pose' | 'landmarks';

export type CommercialUse = boolean | 'unknown';

export type ExecutionProvider = 'cpu' | 'cuda';

/**
 * The knots of a monotone, piecewise linear map from cosine similarity (-1..1) to calibrated similarity. Both
 * coordinates ascend.
 */
export type CalibrationKnots = readonly (readonly [cosine: number, similarity: number])[];

/** A model that a process has found or loaded. */
export interface ActiveModel {
  readonly name: string;
  readonly task: ModelTask;
  readonly version: string;
  /** SHA-256 (hex) of the model's components and their preprocessing. */
  readonly revision: string;
  readonly license: string;
  readonly commercialUse: CommercialUse;
  /** One sentence; null if the name of the license is explanation enough. */
  readonly commercialUseReason: string | null;
  readonly provides: readonly FaceAttribute[];
  /** The number of values in an embedding; null for models without embeddings. */
  readonly embeddingDim: number | null;
  /** Class names by class id; empty for face models. */
  readonly classes: readonly string[];
  readonly similarityCalibration: CalibrationKnots | null;
}
