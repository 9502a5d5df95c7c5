import { calibrateSimilarity as calibrate } from '@sightline/core/matching/calibrate-similarity';
import type { CalibrationKnots } from '@sightline/core/models/model';
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
import { clampToImage } from '../math/corners.ts';
import type { FaceDetector } from './face-detector.ts';
import type { FaceRecognizer } from './face-recognizer.ts';
import { findFaces, type FoundFace } from './find-faces.ts';
import type { GenderAgeEstimator } from './gender-age-estimator.ts';
import type { HeadPoseEstimator } from './head-pose-estimator.ts';
import { findFacesInAnyTurn } from './turned-photo.ts';

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
   * landmarks of a close-up, in which its age, gender and pose are estimated, too. One without plausible
   * landmarks in any direction gets no embedding. If the detector has no landmarks, a face is embedded
   * as if it were upright in its box, or turned like the photo. Faces that score low only because they
   * are turned are found, too, and with `upright` also those of a photo that lies on its side; see
   * {@link findFacesInAnyTurn}.
   *
   * @returns faces in descending order of confidence
   */
  async analyze(
    raster: Raster,
    options: FaceAnalysisOptions,
    observe: StageObserver,
  ): Promise<DetectedFace[]> {
    const faces = await timed(observe, 'detect', () => this.#find(raster, options));
    const embedded = options.embed ? await this.#embed(raster, faces, observe) : [];
    const attributes = options.attributes ? await this.#describe(raster, faces, observe) : [];
    return faces.map(({ box, score, landmarks, upright, turned }, index) => ({
      bbox: clampToImage(box, raster),
      confidence: score,
      quality: calibrate(score, this.#qualityCalibration),
      landmarks: upright?.landmarks ?? landmarks,
      turned,
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

  #find(raster: Raster, options: FaceAnalysisOptions): Promise<FoundFace[]> {
    const find = options.upright ? findFacesInAnyTurn : findFaces;
    return find(this.#models.detector, raster, options);
  }

  async #embed(
    raster: Raster,
    found: readonly FoundFace[],
    observe: StageObserver,
  ): Promise<EmbeddedRegion[]> {
    const { recognizer } = this.#models;
    if (recognizer === null || found.length === 0) return [];
    return embedLocated(recognizer, { raster, faces: found.map(toLocated) }, observe);
  }

  async #describe(
    raster: Raster,
    faces: readonly FoundFace[],
    observe: StageObserver,
  ): Promise<Attributes[]> {
    const { genderAge, headPose } = this.#models;
    if ((genderAge === null && headPose === null) || faces.length === 0) return [];
    return timed(observe, 'attributes', async () => {
      const squares = faces.map(({ square }) => square);
      const persons = await genderAge?.estimate(raster, squares);
      const poses = await headPose?.estimate(raster, squares);
      return faces.map((_, index) => ({
        ...NO_ATTRIBUTES,
        ...persons?.[index],
        pose: poses?.[index] ?? null,
      }));
    });
  }
}

/** Returns null for a face that cannot be aligned, because its landmarks are implausible. */
function toLocated({ box, landmarks, upright, turned }: FoundFace): LocatedFace | null {
  if (landmarks === null) return { box, landmarks, turned };
  return upright && { box, landmarks: upright.landmarks };
}
