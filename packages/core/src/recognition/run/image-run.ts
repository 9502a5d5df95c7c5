import { boxArea } from '../../analysis/geometry.ts';
import type {
  AnalyzedFace,
  AnalyzedObject,
  ImageAnalysis,
  JpegRendition,
} from '../../analysis/image-analyzer.ts';
import type { DetectionType } from '../../detection-type.ts';
import type { Detection } from '../../detections/detection.ts';
import type { NewIdentity } from '../../identities/identity.ts';
import { normalizeLabel } from '../../identities/label.ts';
import type { Proposals } from '../../matching/read-gallery.ts';
import type { RegisteredModel } from '../../models/model-store.ts';
import type { EffectiveSettings } from '../../settings/effective-settings.ts';
import type { Scope } from '../../store/scope.ts';

/** An image to store with its detections, whether models found them or an archive lists them. */
export interface StorableRun {
  readonly scope: Scope;
  /** SHA-256 (hex) of the original bytes. */
  readonly digest: string;
  /** Null: the image is stored already, and the run puts no file of the whole image. */
  readonly posted: PostedFile | null;
  /** The faces, in pixels of the upright original. Null: the run did not look for faces. */
  readonly faces: readonly { readonly crop: FileContent }[] | null;
  /** The objects, in pixels of the upright original. Null: the run did not look for objects. */
  readonly objects: readonly { readonly crop: FileContent }[] | null;
}

/**
 * How a run treats the stored detections of the types that it analyzed:
 *
 * - `compare`: a finding that overlaps a stored detection is that detection;
 * - `replace`: the run removes them;
 * - `draw`: the run has one finding, the box that a person drew. It is new whatever it overlaps, and no
 *   run decides it again.
 */
export type RunKind = 'compare' | 'replace' | 'draw';

/** An analyzed image that is to be stored, with the options of its request. */
export interface ImageRun extends StorableRun {
  readonly kind: RunKind;
  readonly settings: EffectiveSettings;
  readonly faces: readonly FoundFace[] | null;
  readonly objects: readonly FoundObject[] | null;
  /** Rows of the models that answered; null: the task was not requested, or no model for it is active. */
  readonly models: {
    readonly faces: RegisteredModel | null;
    readonly objects: RegisteredModel | null;
  };
  /** The identity of the drawn detection, else of the most certain face; null: the request names none. */
  readonly named: NamedTarget | null;
  /** The identities that the other faces may have; null: they are not compared. */
  readonly proposals: Proposals | null;
}

/** The identity that a caller gives a detection: by its label, created if need be, or by its id. */
export type NamedTarget =
  NewIdentity | { readonly type: DetectionType; readonly identityId: number };

/** The file that came with a request, or the file of an image in an archive. */
export interface PostedFile {
  readonly sizeBytes: number;
  /** Its format, and its size in pixels. */
  readonly image: ImageAnalysis['image'];
  /** The JPEG to store. */
  readonly rendition: FoundRendition;
  /** The bytes, if they are kept. */
  readonly original: FileContent | null;
  /** The caller's name of the source image; null: keep the stored one. */
  readonly externalRef: string | null;
  /** Absent: now. */
  readonly uploadedAt?: Date;
}

/** Bytes to store, or a function that reads them when they are stored. */
export type FileContent = Uint8Array | (() => Promise<Uint8Array>);

/** A JPEG to store. */
export type FoundRendition = Omit<JpegRendition, 'jpeg'> & { readonly jpeg: FileContent };

/** A face with the JPEG of its crop. */
export type FoundFace = Omit<AnalyzedFace, 'crop'> & { readonly crop: FileContent };

/** An object with the JPEG of its crop. Its class is null if a person drew its box. */
export type FoundObject = Pick<AnalyzedObject, 'bbox' | 'confidence'> &
  Pick<Detection, 'classId' | 'className'> & { readonly crop: FileContent };

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
export function facesToCompare({ faces, named }: Pick<ImageRun, 'faces' | 'named'>): readonly {
  readonly index: number;
  readonly embedding: Float32Array;
}[] {
  const found = faces ?? [];
  const namedIndex = named === null ? -1 : mostCertainFace(found);
  return found.flatMap(({ embedding }, index) =>
    embedding === null || index === namedIndex ? [] : [{ index, embedding }],
  );
}

/** The model whose vectors a run may store; null if it stores none. */
export function storedModel({ models }: Pick<ImageRun, 'models'>): RegisteredModel | null {
  const dimension = models.faces?.embeddingDim ?? null;
  return dimension === null ? null : models.faces;
}

/** The label of the identity that all objects of a class have. */
export function labelOfClass(className: string): string {
  return normalizeLabel(className);
}
