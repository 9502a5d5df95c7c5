import type { AnalyzerStatus, NamedModels } from '../models/analyzer-status.ts';
import type { ActiveModel } from '../models/model.ts';
import type { ImageFormat } from '../sources/image-format.ts';
import type { BoundingBox, Point } from './geometry.ts';
import type { Tenant } from './tenant.ts';

/**
 * Does all work that needs pixels. One call decodes an image once, and returns detections, embeddings, attributes, the
 * JPEG to store and the crops. Callers never decode an image themselves.
 */
export interface ImageAnalyzer {
  /** Reports the models that serve requests now, and the device that runs them. */
  status(signal?: AbortSignal): Promise<AnalyzerStatus>;

  /**
   * Checks whether the queue has room, before the caller reads or sends an image. The result is a hint, because the
   * queue may change before `analyze` is called. Background requests do not use the queue places of interactive
   * callers; only memory limits them.
   *
   * @throws InferenceOverloaded if `analyze` would reject the request now; InferenceUnavailable if no analysis can
   *   begin
   */
  requireRoom(tenant: Tenant): void;

  /**
   * Analyzes one image. Tenants take turns within their lane. Background work gets the capacity that interactive
   * requests leave. The result of a requested task is null if no model is active for the task.
   *
   * @throws UnsupportedFormat, ImageTooLarge or ImageCorrupt because of the image; ModelNotHere if the analyzer has not
   *   loaded a model that the request names; InferenceOverloaded or InferenceUnavailable because of the analyzer; the
   *   signal's reason on abort
   */
  analyze(request: AnalysisRequest, signal?: AbortSignal): Promise<ImageAnalysis>;
}

/** Whether the active face model computes embeddings, so that faces can be compared. */
export function embedsFaces({ models }: Pick<AnalyzerStatus, 'models'>): boolean {
  return models.some(({ task, embeddingDim }) => task === 'face' && embeddingDim !== null);
}

export interface AnalysisRequest {
  /**
   * The encoded file. The analyzer may transfer the buffer, so the caller must not use the buffer afterwards. After
   * InferenceOverloaded, the buffer is still usable.
   */
  readonly image: Uint8Array;
  /** The tenant that takes turns with others. All requests without a tenant count as one tenant. */
  readonly tenant?: Tenant | undefined;
  /** The models that should serve the request. If absent, the analyzer selects its preferred models. */
  readonly models?: NamedModels | undefined;
  /** If absent, no faces are detected. */
  readonly faces?: FaceAnalysisOptions;
  /** Faces at known positions, which are embedded without detection. */
  readonly faceRegions?: readonly FaceRegion[];
  /** If absent, no objects are detected. */
  readonly objects?: ObjectAnalysisOptions;
  /** If absent, neither a JPEG nor crops are encoded. */
  readonly renditions?: RenditionOptions;
}

/** The position of a face, in pixels of the upright original image. */
export interface FaceRegion {
  readonly bbox: BoundingBox;
  /**
   * The five points of {@link AnalyzedFace.landmarks}; null if the analyzer should detect them inside the box, and
   * otherwise embed the box.
   */
  readonly landmarks: readonly Point[] | null;
  /** The angle by which the face is turned, if its box is embedded; default: 0. */
  readonly turned?: QuarterTurn;
}

/** `aligned`: the face was aligned by landmarks. `box`: no landmarks were found, so the face was cut out by its box. */
export type EmbeddingSource = 'aligned' | 'box';

export interface EmbeddedRegion {
  /**
   * L2-normalized; null if the given landmarks were not confirmed and no others were found, or if the searches of the
   * image were used up.
   */
  readonly embedding: Float32Array | null;
  /** Null without an embedding. */
  readonly embeddingSource: EmbeddingSource | null;
  /** The landmarks by which the face was aligned; null unless the embedding source is `aligned`. */
  readonly landmarks: readonly Point[] | null;
}

export interface FaceAnalysisOptions {
  /** The minimum detector score, 0..1. */
  readonly detectionThreshold: number;
  /** Whether an embedding of each face is computed. */
  readonly embed: boolean;
  /** Whether age, gender and pose are estimated, if the model provides them. */
  readonly attributes: boolean;
  /**
   * Whether the detector runs a second time at low resolution if no face scores above 0.6, to find a face that fills the
   * image.
   */
  readonly fullFramePass: boolean;
  /** Whether the photo is also searched turned, unless its most certain face is certainly upright. */
  readonly upright: boolean;
}

export interface ObjectAnalysisOptions {
  /** The minimum detector score, 0..1. */
  readonly confidenceThreshold: number;
  /** The names of the classes to keep. If empty, all classes are kept. */
  readonly classFilter: readonly string[];
  /**
   * The words that an open-vocabulary model detects. If absent or empty, the model uses its default words. Other models
   * ignore this option.
   */
  readonly vocabulary?: readonly string[] | undefined;
}

export interface RenditionOptions {
  /** Absent if the JPEG of the whole image is already stored. */
  readonly source?:
    | {
        /** The maximum length of the JPEG's longer side, in pixels. Smaller images are not enlarged. */
        readonly maxSize: number;
        /** JPEG quality, 1..95. */
        readonly quality: number;
      }
    | undefined;
  readonly crops: {
    /** The margin on each side, as a fraction (0..1) of the box. Crops end at the border of the image. */
    readonly padding: number;
    /** JPEG quality, 1..95. */
    readonly quality: number;
  };
  /** Boxes to crop in addition to the detections, in pixels of the upright image. */
  readonly boxes?: readonly BoundingBox[] | undefined;
}

export interface ImageAnalysis {
  /** The width and height of the upright original, in pixels. */
  readonly image: {
    readonly format: ImageFormat;
    readonly width: number;
    readonly height: number;
    /** When the photo was taken, as the image says; null if it does not. */
    readonly takenAt: Date | null;
  };
  readonly faces: { readonly model: ActiveModel; readonly items: readonly AnalyzedFace[] } | null;
  /** The regions in the order of the request; null without regions, or if the active model computes no embeddings. */
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
  /** The crops of the requested boxes, in the order of the request. */
  readonly boxCrops: readonly JpegRendition[];
}

export interface JpegRendition {
  readonly jpeg: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Pitch, yaw and roll of a head in degrees. */
export type HeadPose = readonly [pitch: number, yaw: number, roll: number];

/** An angle in degrees, clockwise. */
export type QuarterTurn = 0 | 90 | 180 | 270;

/** Faces come in descending order of confidence. */
export interface AnalyzedFace {
  readonly bbox: BoundingBox;
  /** The detector's score, 0..1. */
  readonly confidence: number;
  /**
   * The suitability of the face for enrollment, 0..1. If the pack does not measure it, this is the detector's score.
   */
  readonly quality: number;
  /**
   * Left eye, right eye, nose, left and right corner of the mouth, as seen with the face upright; null if not detected.
   */
  readonly landmarks: readonly Point[] | null;
  /**
   * L2-normalized; null if no embedding was requested, if the model makes none, or if the face cannot be aligned because
   * its landmarks are implausible.
   */
  readonly embedding: Float32Array | null;
  readonly age: number | null;
  readonly gender: 'M' | 'F' | null;
  readonly pose: HeadPose | null;
  /**
   * The roll of the face in the image, to the nearest quarter turn. Without landmarks it is the turn in which the photo
   * was searched.
   */
  readonly turned: QuarterTurn;
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
