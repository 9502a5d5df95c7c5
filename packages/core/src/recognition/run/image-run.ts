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

/** An image to store, with the detections of models or of an archive. */
export interface StorableRun {
  readonly scope: Scope;
  /** SHA-256 (hex) of the posted file. */
  readonly digest: string;
  /** Null if the image is already stored, so that the run stores only crops. */
  readonly posted: PostedFile | null;
  /** The faces; null if the run did not detect faces. */
  readonly faces: readonly { readonly crop: FileContent }[] | null;
  /** The objects; null if the run did not detect objects. */
  readonly objects: readonly { readonly crop: FileContent }[] | null;
}

/**
 * How a run treats stored detections of the types that it analyzed:
 *
 * - `compare`: a detection of the run that overlaps a stored detection updates the stored one.
 * - `replace`: the run removes the stored detections.
 * - `draw`: the run has only the box that a person drew, and always stores it as a new detection. Later runs do not
 *   change its decision.
 */
export type RunKind = 'compare' | 'replace' | 'draw';

/** An analyzed image, with the options of its request. */
export interface ImageRun extends StorableRun {
  readonly kind: RunKind;
  readonly settings: EffectiveSettings;
  readonly faces: readonly FoundFace[] | null;
  readonly objects: readonly FoundObject[] | null;
  /** The rows of the models that served the request. Null if a task was not requested, or has no active model. */
  readonly models: {
    readonly faces: RegisteredModel | null;
    readonly objects: RegisteredModel | null;
  };
  /** The identity that the request gives to the drawn detection, or else to the most certain face; null if none. */
  readonly named: NamedTarget | null;
  /** The candidate identities of the other faces; null if these are not matched. */
  readonly proposals: Proposals | null;
}

/** The identity that a caller gives a detection, by label or by id. An identity with a new label is created. */
export type NamedTarget =
  NewIdentity | { readonly type: DetectionType; readonly identityId: number };

/** The file of a request, or the file of an archived image. */
export interface PostedFile {
  readonly sizeBytes: number;
  /** The format, and the size in pixels. */
  readonly image: ImageAnalysis['image'];
  readonly rendition: FoundRendition;
  /** The posted file; null if it is not kept. */
  readonly original: FileContent | null;
  /** The caller's own name for the source image; null if a stored name is kept. */
  readonly externalRef: string | null;
  /** The default is the current time. */
  readonly uploadedAt?: Date;
}

/** The bytes of a file to store, or a file whose bytes are read when it is stored. */
export type FileContent = Uint8Array | UnreadFile;

export interface UnreadFile {
  /** The number of bytes. */
  readonly size: number;
  readonly read: () => Promise<Uint8Array>;
}

export type FoundRendition = Omit<JpegRendition, 'jpeg'> & { readonly jpeg: FileContent };

/** A detected face, in pixels of the upright original, with the JPEG of its crop. */
export type FoundFace = Omit<AnalyzedFace, 'crop'> & { readonly crop: FileContent };

/** An object, in pixels of the upright original, with the JPEG of its crop. The class of a drawn object is null. */
export type FoundObject = Pick<AnalyzedObject, 'bbox' | 'confidence'> &
  Pick<Detection, 'classId' | 'className'> & { readonly crop: FileContent };

/** The index of the face with the highest confidence; -1 without faces. The largest face wins a tie. */
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

/** The faces to match: all faces with an embedding, except the face to which the request gives an identity. */
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

/** The model whose embeddings a run may store; null if the run stores no embeddings. */
export function storedModel({ models }: Pick<ImageRun, 'models'>): RegisteredModel | null {
  const dimension = models.faces?.embeddingDim ?? null;
  return dimension === null ? null : models.faces;
}

/** The label of the identity of all objects of a class. */
export function labelOfClass(className: string): string {
  return normalizeLabel(className);
}
