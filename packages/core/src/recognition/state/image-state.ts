import type { Detection } from '../../detections/detection.ts';
import type { Candidate } from '../../identities/candidate.ts';
import type { Identity } from '../../identities/identity.ts';
import type { ReferenceLink } from '../../references/reference.ts';
import type { SourceImage } from '../../sources/source-image.ts';

/** The stored rows of an image, which do not depend on an analysis. */
export interface StoredImage {
  /** Null if the image is not stored. */
  readonly source: SourceImage | null;
  readonly detections: readonly Detection[];
  /** The references of the stored faces, for all models. */
  readonly references: readonly ReferenceLink[];
  /** The identities that persons rejected for the stored faces, by detection id. */
  readonly rejections: ReadonlyMap<number, ReadonlySet<number>>;
}

export interface PlannableState extends StoredImage {
  /** The identities of the stored detections and of the candidates, by id. */
  readonly identities: ReadonlyMap<number, Identity>;
}

export interface ImageState extends PlannableState {
  /** The candidates of each analyzed face, most similar first. Faces that are not matched have none. */
  readonly candidates: readonly (readonly Candidate[])[];
  /** The existing identity that the request names; null if there is none. */
  readonly named: Identity | null;
  /** The existing identities of the analyzed objects' classes, by label. */
  readonly objectIdentities: ReadonlyMap<string, Identity>;
  /** The ids of the stored faces that have an embedding of the run's face model. */
  readonly embedded: ReadonlySet<number>;
  /** The stored suggestions of stored faces, by detection id. */
  readonly suggestions: ReadonlyMap<number, readonly Candidate[]>;
}
