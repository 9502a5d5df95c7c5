import { boxArea } from '../detections/geometry.ts';
import type { AnalyzedFace, ImageAnalysis, ImageAnalyzer } from '../detections/image-analyzer.ts';
import { InferenceUnavailable, NoActiveModel } from '../models/model-errors.ts';
import type { RecognitionSettings } from '../settings/recognition-settings.ts';
import { calibrateSimilarity } from './calibrate-similarity.ts';
import { cosineSimilarity } from './cosine-similarity.ts';
import { FaceCount } from './face-count.ts';

export interface VerifiedFace {
  readonly face: AnalyzedFace;
  /** How many faces the image has; the largest is compared. */
  readonly count: number;
}

export interface Verification {
  /** Calibrated similarity of the two largest faces, -1..1. */
  readonly similarity: number;
  readonly match: boolean;
  readonly threshold: number;
  readonly faces: readonly [VerifiedFace, VerifiedFace];
}

export interface VerifyFacesDeps {
  readonly analyzer: ImageAnalyzer;
  readonly settings: RecognitionSettings;
}

/**
 * Compares the largest face of each of two images and stores nothing.
 *
 * @throws FaceCount if an image has no face; NoActiveModel; the errors of ImageAnalyzer.analyze
 */
export async function verifyFaces(
  deps: VerifyFacesDeps,
  input: { readonly images: readonly [Uint8Array, Uint8Array]; readonly threshold?: number },
  signal?: AbortSignal,
): Promise<Verification> {
  const threshold = input.threshold ?? deps.settings.matchThreshold;
  const analyses = await Promise.all(
    input.images.map((image) => deps.analyzer.analyze(faceRequest(deps, image), signal)),
  );
  const [first, second] = analyses.map(largestFace) as [LargestFace, LargestFace];
  if (first.model.revision !== second.model.revision) {
    throw new InferenceUnavailable('The face model changed between the two images; try again.');
  }
  const similarity = calibrateSimilarity(
    cosineSimilarity(first.embedding, second.embedding),
    first.model.similarityCalibration,
  );
  return { similarity, match: similarity >= threshold, threshold, faces: [first, second] };
}

interface LargestFace extends VerifiedFace {
  readonly model: NonNullable<ImageAnalysis['faces']>['model'];
  readonly embedding: Float32Array;
}

function faceRequest({ settings }: VerifyFacesDeps, image: Uint8Array) {
  return {
    image,
    faces: {
      detectionThreshold: settings.faceDetectionThreshold,
      embed: true,
      attributes: true,
      fullFramePass: true,
    },
  };
}

function largestFace({ faces }: ImageAnalysis, index: number): LargestFace {
  if (faces === null) throw new NoActiveModel('No face model is active.');
  if (faces.items.length === 0) {
    throw new FaceCount(`Image ${index + 1} has no face.`, { faces: 0, image: index + 1 });
  }
  const face = faces.items.reduce((best, other) =>
    boxArea(other.bbox) > boxArea(best.bbox) ? other : best,
  );
  if (face.embedding === null) {
    throw new NoActiveModel('The active face model makes no embeddings.');
  }
  return { face, count: faces.items.length, model: faces.model, embedding: face.embedding };
}
