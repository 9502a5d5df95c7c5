import { boxArea } from '../../analysis/geometry.ts';
import type { AnalyzedFace, AnalyzedObject, ImageAnalysis } from '../../analysis/image-analyzer.ts';
import { normalizeLabel } from '../../identities/label.ts';
import type { Proposals } from '../../matching/read-gallery.ts';
import type { RegisteredModel } from '../../models/model-store.ts';
import type { EffectiveSettings } from '../../settings/effective-settings.ts';
import type { Scope } from '../../store/scope.ts';

/** The identity that a caller gives a face: by its label, created if need be, or by its id. */
export type NamedTarget =
  { readonly label: string; readonly externalRef: string | null } | { readonly identityId: number };

/** An image that was analyzed to be stored, and what its request wants done with it. */
export interface ImageRun {
  readonly scope: Scope;
  readonly settings: EffectiveSettings;
  /** SHA-256 (hex) of the given bytes. */
  readonly digest: string;
  /** Of the given bytes. */
  readonly sizeBytes: number;
  /** The given bytes, if the settings keep them. */
  readonly original: Uint8Array | null;
  readonly analysis: ImageAnalysis;
  /** Rows of the models that answered; null: not asked for, or none is active. */
  readonly models: {
    readonly faces: RegisteredModel | null;
    readonly objects: RegisteredModel | null;
  };
  /** Remove what is stored of the types that were analyzed, instead of comparing it. */
  readonly replace: boolean;
  /** Of the source image; null: keep the stored one. */
  readonly externalRef: string | null;
  /** Who the most certain face is; null: the request names no one. */
  readonly named: NamedTarget | null;
  /** Who the other faces may be; null: they are not compared. */
  readonly proposals: Proposals | null;
}

/** Index of the face with the highest score, of equal scores the largest; -1 without faces. */
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

/** The faces to compare, by index: all with an embedding but the one that the request names. */
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

/** The model whose vectors a run may store; null if it stores none. */
export function storedModel({ models }: Pick<ImageRun, 'models'>): RegisteredModel | null {
  const dimension = models.faces?.embeddingDim ?? null;
  return dimension === null ? null : models.faces;
}

/** The label of the identity that all objects of a class have. */
export function labelOfClass({ className }: Pick<AnalyzedObject, 'className'>): string {
  return normalizeLabel(className);
}
