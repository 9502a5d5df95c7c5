import type { AnalyzerStatus, NamedModels } from '../models/analyzer-status.ts';
import type { ActiveModel } from '../models/model.ts';
import type { ImageFormat } from '../sources/image-format.ts';
import type { BoundingBox, Point } from './geometry.ts';
import type { Tenant } from './tenant.ts';

/**
 * Everything that needs pixels, in one call: the image is decoded once, and the answer holds the
 * detections, embeddings, attributes, the JPEG to store and the crops. Callers never decode.
 */
export interface ImageAnalyzer {
  /** The models that are active now, and where they run. */
  status(signal?: AbortSignal): Promise<AnalyzerStatus>;

  /**
   * Throws if `analyze` would refuse the request now because the queue is full, so that no caller
   * reads or sends an image in vain. This is a hint: the queue may fill up or drain before
   * `analyze` is called. Background work takes no place from interactive callers; it queues as long
   * as there is memory for it.
   *
   * @throws InferenceOverloaded; InferenceUnavailable if no analysis can begin
   */
  requireRoom(tenant: Tenant): void;

  /**
   * Analyzes one image. Tenants take turns within their lane, and background work gets the capacity
   * that interactive callers leave. The result of a requested task without an active model is null.
   *
   * @throws UnsupportedFormat, ImageTooLarge, ImageCorrupt for the image; ModelNotHere if the
   *   request names a model that the analyzer does not hold; InferenceOverloaded,
   *   InferenceUnavailable for the analyzer; the signal's reason on abort
   */
  analyze(request: AnalysisRequest, signal?: AbortSignal): Promise<ImageAnalysis>;
}

/** Whether the active face model makes embeddings, so that faces can be compared. */
export function embedsFaces({ models }: Pick<AnalyzerStatus, 'models'>): boolean {
  return models.some(({ task, embeddingDim }) => task === 'face' && embeddingDim !== null);
}

export interface AnalysisRequest {
  /**
   * The encoded file. The analyzer may transfer the buffer, so do not use it afterwards, unless the
   * analyzer refused the request because its queue was full (InferenceOverloaded).
   */
  readonly image: Uint8Array;
  /** The tenant on whose behalf the image is analyzed; all requests without one count as one tenant. */
  readonly tenant?: Tenant | undefined;
  /** The models that are to answer. Absent: those that the analyzer prefers. */
  readonly models?: NamedModels | undefined;
  /** Absent: no face detection. */
  readonly faces?: FaceAnalysisOptions;
  /** Faces at known positions, to embed without detection. Absent: none. */
  readonly faceRegions?: readonly FaceRegion[];
  /** Absent: no object detection. */
  readonly objects?: ObjectAnalysisOptions;
  /** Absent: no JPEG and no crops are made. */
  readonly renditions?: RenditionOptions;
}

/** The position of a face, in pixels of the upright original image. */
export interface FaceRegion {
  readonly bbox: BoundingBox;
  /** The five points of {@link AnalyzedFace.landmarks}; null: detect them inside the box. */
  readonly landmarks: readonly Point[] | null;
}

/** `aligned` by landmarks; `box` where none were found inside the box. */
export type EmbeddingSource = 'aligned' | 'box';

export interface EmbeddedRegion {
  /** L2-normalized. */
  readonly embedding: Float32Array;
  readonly embeddingSource: EmbeddingSource;
  /** The landmarks that the face was aligned by; null for `box`. */
  readonly landmarks: readonly Point[] | null;
}

export interface FaceAnalysisOptions {
  /** Least detector score, 0..1. */
  readonly detectionThreshold: number;
  /** Make an embedding of each face. */
  readonly embed: boolean;
  /** Estimate age, gender and pose as far as the model provides them. */
  readonly attributes: boolean;
  /** Detect a second time, at low resolution, to find a face that fills the frame. */
  readonly fullFramePass: boolean;
}

export interface ObjectAnalysisOptions {
  /** Least detector score, 0..1. */
  readonly confidenceThreshold: number;
  /** Names of the classes to keep; empty keeps all. */
  readonly classFilter: readonly string[];
  /**
   * The words that a model of an open vocabulary detects; absent or empty: its own words. Other models
   * ignore it.
   */
  readonly vocabulary?: readonly string[] | undefined;
}

export interface RenditionOptions {
  /** Absent: no JPEG of the whole image is made, because it is stored already. */
  readonly source?:
    | {
        /** Longer side of the stored JPEG in pixels; smaller images are not enlarged. */
        readonly maxSize: number;
        /** JPEG quality, 1..95. */
        readonly quality: number;
      }
    | undefined;
  readonly crops: {
    /** Share of the box added on each side, 0..1, clamped to the image. */
    readonly padding: number;
    /** JPEG quality, 1..95. */
    readonly quality: number;
  };
  /** Boxes to cut besides those of what is found, in pixels of the upright image. Absent: none. */
  readonly boxes?: readonly BoundingBox[] | undefined;
}

export interface ImageAnalysis {
  /** Width and height are those of the upright original. */
  readonly image: { readonly format: ImageFormat; readonly width: number; readonly height: number };
  readonly faces: { readonly model: ActiveModel; readonly items: readonly AnalyzedFace[] } | null;
  /** In the order of the request; null: none were given, or the active model makes no embeddings. */
  readonly faceRegions: {
    readonly model: ActiveModel;
    readonly items: readonly EmbeddedRegion[];
  } | null;
  readonly objects: {
    readonly model: ActiveModel;
    readonly items: readonly AnalyzedObject[];
  } | null;
  /** The JPEG to store; null unless it was requested. */
  readonly source: JpegRendition | null;
  /** The crops of the requested boxes, in their order. */
  readonly boxCrops: readonly JpegRendition[];
}

export interface JpegRendition {
  readonly jpeg: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Pitch, yaw and roll of a head in degrees. */
export type HeadPose = readonly [pitch: number, yaw: number, roll: number];

/** Faces come in descending order of confidence. */
export interface AnalyzedFace {
  readonly bbox: BoundingBox;
  /** The detector's score, 0..1. */
  readonly confidence: number;
  /** How fit the face is for enrollment, 0..1; the detector's score unless the pack measures it. */
  readonly quality: number;
  /** Left eye, right eye, nose, left and right corner of the mouth (as seen in the image), or null. */
  readonly landmarks: readonly Point[] | null;
  /** L2-normalized; null if no embedding was requested. */
  readonly embedding: Float32Array | null;
  readonly age: number | null;
  readonly gender: 'M' | 'F' | null;
  readonly pose: HeadPose | null;
  readonly crop: JpegRendition | null;
}

/** Objects come in descending order of confidence. */
export interface AnalyzedObject {
  readonly bbox: BoundingBox;
  /** The detector's score, 0..1. */
  readonly confidence: number;
  readonly classId: number;
  readonly className: string;
  readonly crop: JpegRendition | null;
}
