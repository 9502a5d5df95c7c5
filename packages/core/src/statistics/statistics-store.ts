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

/** The counts of one day. Later deletions do not change it; an undo takes off what the operation added. */
export interface DayCounts {
  /** The date in UTC, such as `2026-11-29`. */
  readonly date: string;
  readonly images: number;
  readonly faces: number;
  readonly objects: number;
  /** The faces that matching confirmed. */
  readonly confirmedAutomatic: number;
  /** The faces that people confirmed, also those that matching had confirmed before. */
  readonly confirmedHuman: number;
  readonly rejected: number;
  /** The faces that became references. */
  readonly enrolled: number;
}

export interface StatisticsReader {
  totals(): Promise<Statistics>;
  /** Returns the last days, oldest first, and today as the last one. */
  days(count: number): Promise<readonly DayCounts[]>;
  /** Returns a page of the classes that have detections, in the order of the bytes of their names. */
  classes(page: {
    readonly after: string | null;
    readonly limit: number;
  }): Promise<Page<ObjectClass>>;
}
