/** The totals of an environment. */
export interface Statistics {
  readonly faceIdentities: number;
  readonly objectIdentities: number;
  readonly faceDetections: number;
  readonly objectDetections: number;
  readonly sourceImages: number;
  /** Pending faces that were not dismissed. */
  readonly pendingReview: number;
  /** Bytes of stored images and crops. */
  readonly storageBytes: number;
}

export interface StatisticsReader {
  totals(): Promise<Statistics>;
}
