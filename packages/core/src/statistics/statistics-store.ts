/** The totals of an environment. */
export interface Statistics {
  readonly faceIdentities: number;
  readonly objectIdentities: number;
  readonly faceDetections: number;
  readonly objectDetections: number;
  readonly sourceImages: number;
  /** The number of pending faces that were not dismissed. */
  readonly pendingReview: number;
  /** The total size of the stored images and crops, in bytes. */
  readonly storageBytes: number;
  /** The part of it that belongs to deleted records, which can still return. */
  readonly setAsideBytes: number;
}

export interface StatisticsReader {
  totals(): Promise<Statistics>;
}
