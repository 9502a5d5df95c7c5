import type { Identity, NewIdentity } from '../../identities/identity.ts';
import type { Candidate } from '../../matching/rank-candidates.ts';
import type { Proposals } from '../../matching/read-gallery.ts';
import type { AnalyzedImage } from './analyzed-image.ts';
import type { AnalyzedFace } from '../../analysis/image-analyzer.ts';
import { boxArea } from '../../analysis/geometry.ts';
import type { StoredImage } from './stored-image.ts';

/** Who a face is, as a caller says it: an identity by its label, created if need be, or by its id. */
export type NamedTarget =
  { readonly label: string; readonly externalRef: string | null } | { readonly identityId: number };

/** An analyzed image with what its request wants done. */
export interface ImageRun extends AnalyzedImage {
  /** Remove what was stored of the types that were looked for. */
  readonly replace: boolean;
  /** Of the source image; null: the one that it has stays. */
  readonly externalRef: string | null;
  /** Who the most certain face is; null: nobody says. */
  readonly named: NamedTarget | null;
  /** Who the other faces may be. */
  readonly proposals: Proposals | null;
}

/** What the database has of everything that a run touches; it decides over what is proposed. */
export interface ImageState extends StoredImage {
  /** By found face, the most similar first; empty for faces that are not compared. */
  readonly candidates: readonly (readonly Candidate[])[];
  /** Candidates, and those of the stored detections. */
  readonly identities: ReadonlyMap<number, Identity>;
  /** Null: nobody is named, or the label is new. */
  readonly named: Identity | null;
  /** Identities of objects by label, as far as they exist. */
  readonly objectIdentities: ReadonlyMap<string, Identity>;
  /** Stored faces that have a vector of the model that answered. */
  readonly embedded: ReadonlySet<number>;
  /** What is kept as suggested for stored faces, by detection. */
  readonly suggestions: ReadonlyMap<number, readonly Candidate[]>;
}

/** By id, or one that has to be created. */
export type PlannedIdentity = number | NewIdentity;

/** Index of the face with the highest score, of equal ones the largest; -1 without faces. */
export function mostCertainFace(
  faces: readonly Pick<AnalyzedFace, 'confidence' | 'bbox'>[],
): number {
  return faces.reduce((best, face, index) => {
    const leader = faces[best];
    if (leader === undefined || face.confidence > leader.confidence) return index;
    const ties = face.confidence === leader.confidence;
    return ties && boxArea(face.bbox) > boxArea(leader.bbox) ? index : best;
  }, -1);
}

/** The faces that have to be compared, by their places: all that nobody names. */
export function facesToCompare({
  analysis,
  named,
}: Pick<ImageRun, 'analysis' | 'named'>): readonly {
  readonly index: number;
  readonly embedding: Float32Array;
}[] {
  const faces = analysis.faces?.items ?? [];
  const namedIndex = named === null ? -1 : mostCertainFace(faces);
  return faces.flatMap(({ embedding }, index) =>
    embedding === null || index === namedIndex ? [] : [{ index, embedding }],
  );
}

/** The stored references that a run takes away before it compares. */
export function hiddenReferences(
  { analysis, replace }: Pick<ImageRun, 'analysis' | 'replace'>,
  stored: StoredImage,
) {
  return replace && analysis.faces !== null ? stored.references : [];
}
