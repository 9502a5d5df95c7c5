/** The settings that recognition reads; the defaults hold where nothing else is set. */
export interface RecognitionSettings {
  /** Minimum similarity to call two faces the same person, -1..1 (`face.match_threshold`). */
  readonly matchThreshold: number;
  /** Minimum detector score of a face, 0..1 (`face.detection_threshold`). */
  readonly faceDetectionThreshold: number;
  /** Minimum detector score of an object, 0..1 (`object.confidence_threshold`). */
  readonly objectConfidenceThreshold: number;
  /** COCO names to keep, empty for all (`object.class_filter`). */
  readonly objectClassFilter: readonly string[];
}

export const DEFAULT_RECOGNITION_SETTINGS: RecognitionSettings = {
  matchThreshold: 0.5,
  faceDetectionThreshold: 0.5,
  objectConfidenceThreshold: 0.25,
  objectClassFilter: [],
};
