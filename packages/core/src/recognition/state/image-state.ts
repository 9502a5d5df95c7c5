import type { Detection } from '../../detections/detection.ts';
import type { Candidate } from '../../identities/candidate.ts';
import type { Identity } from '../../identities/identity.ts';
import type { ReferenceLink } from '../../references/reference.ts';
import type { SourceImage } from '../../sources/source-image.ts';

/** The rows of an image that can be read before it is analyzed. */
export interface StoredImage {
  /** Null: the image was never stored, or was discarded. */
  readonly source: SourceImage | null;
  readonly detections: readonly Detection[];
  /** The references of the stored faces, of all models. */
  readonly references: readonly ReferenceLink[];
  /** Identities that the stored faces were rejected from, by detection. */
  readonly rejections: ReadonlyMap<number, ReadonlySet<number>>;
}

/** The rows that every plan for an image rests on. */
export interface PlannableState extends StoredImage {
  /** The identities of the stored detections and of the candidates, by id. */
  readonly identities: ReadonlyMap<number, Identity>;
}

/** All rows that the plan of a run rests on. */
export interface ImageState extends PlannableState {
  /** By analyzed face, the most similar first; empty for faces that are not compared. */
  readonly candidates: readonly (readonly Candidate[])[];
  /** Null: the request names no identity, or the label is new. */
  readonly named: Identity | null;
  /** Identities of the classes of the analyzed objects, by label; those that exist. */
  readonly objectIdentities: ReadonlyMap<string, Identity>;
  /** Stored faces that have a vector of the model that answered. */
  readonly embedded: ReadonlySet<number>;
  /** The stored suggestions of stored faces, by detection. */
  readonly suggestions: ReadonlyMap<number, readonly Candidate[]>;
}
