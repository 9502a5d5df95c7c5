import type { Detection } from '../../detections/detection.ts';
import type { Candidate } from '../../identities/candidate.ts';
import type { Identity } from '../../identities/identity.ts';
import type { ReferenceLink } from '../../references/reference.ts';
import type { SourceImage } from '../../sources/source-image.ts';
import type { ImageRun } from '../run/image-run.ts';

/** What the database has of everything that a run touches: all that a plan rests on besides the run. */
export interface ImageState {
  /** Null: the image was never stored, or was discarded. */
  readonly source: SourceImage | null;
  readonly detections: readonly Detection[];
  /** Of the stored faces, of all models. */
  readonly references: readonly ReferenceLink[];
  /** Identities that the stored faces were rejected from, by detection. */
  readonly rejections: ReadonlyMap<number, ReadonlySet<number>>;
  /** By analyzed face, the most similar first; empty for faces that are not compared. */
  readonly candidates: readonly (readonly Candidate[])[];
  /** Of the candidates and of the stored detections. */
  readonly identities: ReadonlyMap<number, Identity>;
  /** Null: the request names no one, or the label is new. */
  readonly named: Identity | null;
  /** Identities of the classes of the analyzed objects, by label; those that exist. */
  readonly objectIdentities: ReadonlyMap<string, Identity>;
  /** Stored faces that have a vector of the model that answered. */
  readonly embedded: ReadonlySet<number>;
  /** The stored suggestions of stored faces, by detection. */
  readonly suggestions: ReadonlyMap<number, readonly Candidate[]>;
  /** Null: the run is of no archive. */
  readonly archived: ArchivedState | null;
}

/** What the database has of what an archive mentions. */
export interface ArchivedState {
  /** By `identityKey`; those that exist. */
  readonly identities: ReadonlyMap<string, Identity>;
  /** By model, the stored faces that have a vector of it. */
  readonly embedded: ReadonlyMap<number, ReadonlySet<number>>;
}

/** The part of the state that can be read before the image is analyzed. */
export type StoredImage = Pick<ImageState, 'source' | 'detections' | 'references' | 'rejections'>;

/** The stored references that a run removes: no face is compared with them. */
export function hiddenReferences(
  { analysis, replace }: Pick<ImageRun, 'analysis' | 'replace'>,
  { references }: Pick<StoredImage, 'references'>,
): readonly ReferenceLink[] {
  return replace && analysis.faces !== null ? references : [];
}
