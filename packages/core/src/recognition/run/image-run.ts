import { boxArea } from '../../analysis/geometry.ts';
import type {
  AnalyzedFace,
  AnalyzedObject,
  ImageAnalysis,
  JpegRendition,
} from '../../analysis/image-analyzer.ts';
import type { DetectionType } from '../../detection-type.ts';
import type { Detection } from '../../detections/detection.ts';
import { normalizeLabel } from '../../identities/label.ts';
import type { Proposals } from '../../matching/read-gallery.ts';
import type { RegisteredModel } from '../../models/model-store.ts';
import type { EffectiveSettings } from '../../settings/effective-settings.ts';
import type { Scope } from '../../store/scope.ts';
import type { ArchivedFacts } from './archived-facts.ts';

/** The identity that a caller gives a detection: by its label, created if need be, or by its id. */
export type NamedTarget =
  { readonly label: string; readonly externalRef: string | null } | { readonly identityId: number };

/** An image that was analyzed or archived, to be stored, and what its request wants done with it. */
export interface ImageRun {
  readonly scope: Scope;
  readonly settings: EffectiveSettings;
  /** SHA-256 (hex) of the given bytes. */
  readonly digest: string;
  /** Null: the run is about an image that is stored, and puts no file of the whole image. */
  readonly posted: PostedFile | null;
  readonly analysis: Findings;
  /** Rows of the models that answered; null: not asked for, or none is active. */
  readonly models: {
    readonly faces: RegisteredModel | null;
    readonly objects: RegisteredModel | null;
  };
  /**
   * The type of the one box that a person drew, and that is the only finding: it is new whatever it
   * overlaps, and is never decided automatically again. Null: detectors found what there is.
   */
  readonly drawn: DetectionType | null;
  /** The findings come from an archive, which says what became of each of them. */
  readonly archived: boolean;
  /** Remove what is stored of the types that were analyzed, instead of comparing it. */
  readonly replace: boolean;
  /** Of the source image; null: keep the stored one. */
  readonly externalRef: string | null;
  /** Who the drawn detection is, else the most certain face; null: the request names no one. */
  readonly named: NamedTarget | null;
  /** Who the other faces may be; null: they are not compared. */
  readonly proposals: Proposals | null;
}

/** The file that came with a request, or that an archive has of an image. */
export interface PostedFile {
  readonly sizeBytes: number;
  /** The bytes, if they are kept. */
  readonly original: FileContent | null;
  /** Absent: now. */
  readonly uploadedAt?: Date;
}

/** Bytes to store, or where they are read from when they are stored. */
export type FileContent = Uint8Array | (() => Promise<Uint8Array>);

/** A JPEG to store. */
export type FoundRendition = Omit<JpegRendition, 'jpeg'> & { readonly jpeg: FileContent };

/** What was found in an image, in pixels of the upright original. Null: not looked for. */
export interface Findings extends Pick<ImageAnalysis, 'image'> {
  readonly source: FoundRendition | null;
  readonly faces: { readonly items: readonly FoundFace[] } | null;
  readonly objects: { readonly items: readonly FoundObject[] } | null;
}

interface Found {
  readonly crop: Pick<FoundRendition, 'jpeg'> | null;
  /** What an archive says of it; absent: a detector or a person has found it just now. */
  readonly archived?: ArchivedFacts;
}

export type FoundFace = Omit<AnalyzedFace, 'crop'> & Found;

/** An object, whose class is null if a person drew its box. */
export type FoundObject = Pick<AnalyzedObject, 'bbox' | 'confidence'> &
  Pick<Detection, 'classId' | 'className'> &
  Found;

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

/** What an archive says of the detections of a run; empty for a run of detectors. */
export function archivedFacts({ analysis }: Pick<ImageRun, 'analysis'>): readonly ArchivedFacts[] {
  const found = [...(analysis.faces?.items ?? []), ...(analysis.objects?.items ?? [])];
  return found.flatMap(({ archived }) => archived ?? []);
}

/** The model whose vectors a run may store; null if it stores none. */
export function storedModel({ models }: Pick<ImageRun, 'models'>): RegisteredModel | null {
  const dimension = models.faces?.embeddingDim ?? null;
  return dimension === null ? null : models.faces;
}

/** The type of the identity that the request names. */
export function namedType({ drawn }: Pick<ImageRun, 'drawn'>): DetectionType {
  return drawn ?? 'face';
}

/** The label of the identity that all objects of a class have. */
export function labelOfClass(className: string): string {
  return normalizeLabel(className);
}
