import { calibrateSimilarity as calibrate } from '@sightline/core/matching/calibrate-similarity';
import type { CalibrationKnots } from '@sightline/core/models/model';
import type { BoundingBox } from '@sightline/core/analysis/geometry';
import type {
  AnalyzedFace,
  EmbeddedRegion,
  FaceAnalysisOptions,
  FaceRegion,
} from '@sightline/core/analysis/image-analyzer';
import type { Raster } from '../image/raster.ts';
import { type StageObserver, timed } from '../stage.ts';
import { embedLocated, type LocatedFace } from './embed-located.ts';
import { embedRegions } from './embed-regions.ts';
import type { Corners, FaceCandidate } from './face-candidate.ts';
import type { FaceDetector } from './face-detector.ts';
import type { FaceRecognizer } from './face-recognizer.ts';
import type { GenderAgeEstimator } from './gender-age-estimator.ts';
import type { HeadPoseEstimator } from './head-pose-estimator.ts';
import { uprightLandmarks } from './upright-landmarks.ts';

export interface FaceModels {
  readonly detector: FaceDetector;
  readonly recognizer: FaceRecognizer | null;
  readonly genderAge: GenderAgeEstimator | null;
  readonly headPose: HeadPoseEstimator | null;
}

export type DetectedFace = Omit<AnalyzedFace, 'crop'>;

type Attributes = Pick<DetectedFace, 'gender' | 'age' | 'pose'>;

const NO_ATTRIBUTES: Attributes = { gender: null, age: null, pose: null };

export class FacePipeline {
  readonly #models: FaceModels;
  readonly #qualityCalibration: CalibrationKnots | null;

  /**
   * @param qualityCalibration maps the detector's score to quality; if null, the quality is the
   *   score
   */
  constructor(models: FaceModels, qualityCalibration: CalibrationKnots | null = null) {
    this.#models = models;
    this.#qualityCalibration = qualityCalibration;
  }

  /**
   * Analyzes the faces of an image. Boxes are clamped to the image, but landmarks are not.
   * Embeddings and attributes use the detector's unclamped box. A face that is turned gets the
   * landmarks of a close-up, and one without plausible landmarks in any direction gets no embedding, see
   * {@link uprightLandmarks}. If the detector has no landmarks, a face is embedded as if it were
   * upright in its box.
   *
   * @returns faces in descending order of confidence
   */
  async analyze(
    raster: Raster,
    options: FaceAnalysisOptions,
    observe: StageObserver,
  ): Promise<DetectedFace[]> {
    const { faces, located } = await timed(observe, 'detect', async () => {
      const found = await this.#detect(raster, options);
      return { faces: found, located: options.embed ? await this.#locate(raster, found) : [] };
    });
    const embedded = await this.#embed(raster, located, observe);
    const attributes = options.attributes ? await this.#describe(raster, faces, observe) : [];
    return faces.map(({ box, score, landmarks }, index) => ({
      bbox: clampToImage(box, raster),
      confidence: score,
      quality: calibrate(score, this.#qualityCalibration),
      landmarks: embedded[index]?.landmarks ?? landmarks,
      embedding: embedded[index]?.embedding ?? null,
      ...(attributes[index] ?? NO_ATTRIBUTES),
    }));
  }

  /**
   * Embeds faces at known positions; see {@link embedRegions}.
   *
   * @returns embeddings in the order of the regions; null if the pack has no recognizer
   */
  async embedRegions(
    raster: Raster,
    regions: readonly FaceRegion[],
    observe: StageObserver,
  ): Promise<EmbeddedRegion[] | null> {
    const { detector, recognizer } = this.#models;
    return recognizer && embedRegions({ detector, recognizer }, { raster, regions }, observe);
  }

  async #detect(raster: Raster, options: FaceAnalysisOptions): Promise<FaceCandidate[]> {
    const found = await this.#models.detector.detect(raster, {
      threshold: options.detectionThreshold,
      fullFramePass: options.fullFramePass,
    });
    // A network may detect faces in the black margin beside the image.
    return found.filter(({ box }) => {
      const { w, h } = clampToImage(box, raster);
      return w > 0 && h > 0;
    });
  }

  /** Finds the landmarks of faces for their alignment; null for a face that cannot be aligned. */
  async #locate(
    raster: Raster,
    faces: readonly FaceCandidate[],
  ): Promise<readonly (LocatedFace | null)[]> {
    const { detector, recognizer } = this.#models;
    if (recognizer === null) return [];
    const located: (LocatedFace | null)[] = [];
    for (const face of faces) {
      const landmarks = face.landmarks && (await uprightLandmarks(detector, raster, face));
      const isAlignable = landmarks !== null || face.landmarks === null;
      located.push(isAlignable ? { box: face.box, landmarks } : null);
    }
    return located;
  }

  async #embed(
    raster: Raster,
    faces: readonly (LocatedFace | null)[],
    observe: StageObserver,
  ): Promise<EmbeddedRegion[]> {
    const { recognizer } = this.#models;
    if (recognizer === null || faces.length === 0) return [];
    return embedLocated(recognizer, { raster, faces }, observe);
  }

  async #describe(
    raster: Raster,
    faces: readonly FaceCandidate[],
    observe: StageObserver,
  ): Promise<Attributes[]> {
    const { genderAge, headPose } = this.#models;
    if ((genderAge === null && headPose === null) || faces.length === 0) return [];
    const boxes = faces.map(({ box }) => box);
    return timed(observe, 'attributes', async () => {
      const persons = await genderAge?.estimate(raster, boxes);
      const poses = await headPose?.estimate(raster, boxes);
      return faces.map((_, index) => ({
        ...NO_ATTRIBUTES,
        ...persons?.[index],
        pose: poses?.[index] ?? null,
      }));
    });
  }
}

function clampToImage({ x1, y1, x2, y2 }: Corners, { width, height }: Raster): BoundingBox {
  const x = Math.min(Math.max(x1, 0), width);
  const y = Math.min(Math.max(y1, 0), height);
  return {
    x,
    y,
    w: Math.max(0, Math.min(x2, width) - x),
    h: Math.max(0, Math.min(y2, height) - y),
  };
}
