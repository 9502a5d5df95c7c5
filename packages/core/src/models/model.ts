/** What a model detects: faces, objects, or objects of a free vocabulary. */
export type ModelTask = 'face' | 'object' | 'open_vocabulary';

/** What a face model can add to a detected face. */
export type FaceAttribute = 'age' | 'gender' | 'pose' | 'landmarks';

/** Whether the license of a model allows commercial use. */
export type CommercialUse = boolean | 'unknown';

/** The device that computes tensors. */
export type ExecutionProvider = 'cpu' | 'cuda';

/**
 * Knots of a monotone, piecewise linear map from raw cosine (-1..1) to similarity, ascending in
 * both coordinates.
 */
export type CalibrationKnots = readonly (readonly [cosine: number, similarity: number])[];

/** A loaded model, as its answers name it. */
export interface ActiveModel {
  readonly name: string;
  readonly task: ModelTask;
  readonly version: string;
  /** SHA-256 (hex) over the components and their preprocessing: changed bytes are another model. */
  readonly revision: string;
  readonly license: string;
  readonly commercialUse: CommercialUse;
  /** One sentence; null if the license says it all. */
  readonly commercialUseReason: string | null;
  readonly provides: readonly FaceAttribute[];
  /** Length of an embedding; null for models without embeddings. */
  readonly embeddingDim: number | null;
  /** Class names by class id; empty for face models. */
  readonly classes: readonly string[];
  readonly similarityCalibration: CalibrationKnots | null;
}
