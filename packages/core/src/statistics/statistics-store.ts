import type { Thumbnail } from '../identities/identity.ts';
import type { Page } from '../store/page.ts';

/** The totals of an environment. */
export interface Statistics {
  readonly faceIdentities: number;
  readonly objectIdentities: number;
  readonly faceDetections: number;
  readonly objectDetections: number;
  readonly sourceImages: number;
  /** The number of pending faces that were not dismissed. */
  readonly pendingReview: number;
  /** The total size of the stored images, of crops, and of their renditions, in bytes. */
  readonly storageBytes: number;
  /** The part of it that belongs to deleted records, which can still return. */
  readonly setAsideBytes: number;
}

/** A class of detected objects. */
export interface ObjectClass {
  readonly name: string;
  readonly detectionCount: number;
  /** The object identity that is labeled like the class; null if there is none. */
  readonly identityId: number | null;
  readonly thumbnail: Thumbnail | null;
}

export interface StatisticsReader {
  totals(): Promise<Statistics>;
  /** Returns a page of the classes that have detections, in the order of the bytes of their names. */
  classes(page: {
    readonly after: string | null;
    readonly limit: number;
  }): Promise<Page<ObjectClass>>;
}
