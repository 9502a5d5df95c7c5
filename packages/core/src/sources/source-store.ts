import type { DetectionType } from '../detection-type.ts';
import type { NewSourceImage, SourceImage } from './source-image.ts';

export type SourceOrder = 'newest' | 'oldest' | 'most_detections' | 'fewest_detections';

/** A filter of images; absent members do not restrict. */
export interface SourceFilter {
  /** Images with a detection of each of these identities. */
  readonly identityIds?: readonly number[];
  /** Images with detections of this type. */
  readonly type?: DetectionType;
  readonly externalRef?: string;
  /** Uploaded at this time or later. */
  readonly since?: Date;
  /** Uploaded before this time. */
  readonly until?: Date;
  readonly noDetections?: boolean;
  /** Without an identified face, including images without faces. */
  readonly noTaggedFaces?: boolean;
  /** Without stored crops. */
  readonly noCrops?: boolean;
  readonly hasManualDetections?: boolean;
}

export interface SourceReader {
  byId(id: number): Promise<SourceImage | null>;
  byDigest(digest: string): Promise<SourceImage | null>;
  /** The images with these ids that exist. */
  byIds(ids: readonly number[]): Promise<readonly SourceImage[]>;
  /** The ids of all images that match the filter; ties by id. */
  ids(filter: SourceFilter, order: SourceOrder): Promise<readonly number[]>;
  /** Which of these images have no detection of any type. */
  withoutDetections(ids: readonly number[]): Promise<readonly number[]>;
}

/** Needs the lock of the source. */
export interface SourceWriter {
  insert(source: NewSourceImage): Promise<SourceImage>;
  setExternalRef(source: SourceImage, externalRef: string): Promise<void>;
  /** Removes rows; their detections must be gone. The files are removed after the commit. */
  delete(sources: readonly SourceImage[]): Promise<void>;
}
