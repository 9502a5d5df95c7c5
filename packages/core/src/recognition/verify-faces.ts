import { allOrAbort } from '../concurrency/all-or-abort.ts';
import { faceOptions } from '../analysis/analysis-options.ts';
import { boxArea } from '../analysis/geometry.ts';
import type { AnalyzedFace, ImageAnalysis, ImageAnalyzer } from '../analysis/image-analyzer.ts';
import type { ReadAudit } from '../audit/read-audit.ts';
import type { Database } from '../database/database.ts';
import { loadSettings } from '../database/load-settings.ts';
import { calibrateSimilarity } from '../matching/calibrate-similarity.ts';
import { cosineSimilarity } from '../matching/cosine-similarity.ts';
import { FaceCount } from '../matching/face-count.ts';
import { InferenceUnavailable, NoActiveModel } from '../models/model-errors.ts';
import { CANNOT_ALIGN, NoEmbedding } from '../references/reference-errors.ts';
import type { EffectiveSettings } from '../settings/effective-settings.ts';
import { ofImage } from '../sources/image-errors.ts';
import type { Scope } from '../store/scope.ts';

export interface VerifiedFace {
  readonly face: AnalyzedFace;
  /** The number of faces in the image. The largest face is compared. */
  readonly count: number;
}

export interface Verification {
  /** The calibrated similarity of the two largest faces, -1..1. */
  readonly similarity: number;
  readonly match: boolean;
  readonly threshold: number;
  readonly faces: readonly [VerifiedFace, VerifiedFace];
}

export interface VerifyFacesDeps {
  readonly analyzer: ImageAnalyzer;
  readonly database: Database;
  readonly readAudit: Pick<ReadAudit, 'note'>;
}

/**
 * Compares the largest faces of two images, without storing anything. If the analysis of one image fails, the other
 * analysis is aborted.
 *
 * @throws FaceCount if an image has no face; NoEmbedding; NoActiveModel; StoreUnavailable; the errors of
 *   ImageAnalyzer.analyze
 */
export async function verifyFaces(
  deps: VerifyFacesDeps,
  input: {
    readonly scope: Scope;
    /** The encoded files. Their buffers must not be used afterwards. */
    readonly images: readonly [Uint8Array, Uint8Array];
    /** The minimum similarity of a match, -1..1. The default is the environment's setting. */
    readonly threshold?: number;
  },
  signal?: AbortSignal,
): Promise<Verification> {
  const settings = await loadSettings(deps.database, input.scope, signal);
  const threshold = input.threshold ?? settings.matchThreshold;
  const analyses = input.images.map((image, index) => async (either: AbortSignal) => {
    const request = faceRequest(settings, image);
    const analysis = await ofImage(index + 1, () => deps.analyzer.analyze(request, either));
    return largestFace(analysis, index);
  });
  const [first, second] = (await allOrAbort(analyses, signal)) as [LargestFace, LargestFace];
  if (first.model.revision !== second.model.revision) {
    throw new InferenceUnavailable('The face model changed between the two images; try again.');
  }
  const similarity = calibrateSimilarity(
    cosineSimilarity(first.embedding, second.embedding),
    first.model.similarityCalibration,
  );
  const match = similarity >= threshold;
  if (settings.auditReads) {
    const entry = { entity: 'image', action: 'verify', ids: [], details: { match } } as const;
    deps.readAudit.note(input.scope, entry);
  }
  return { similarity, match, threshold, faces: [first, second] };
}

interface LargestFace extends VerifiedFace {
  readonly model: NonNullable<ImageAnalysis['faces']>['model'];
  readonly embedding: Float32Array;
}

function faceRequest(settings: EffectiveSettings, image: Uint8Array) {
  return { image, faces: faceOptions(settings) };
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
    throw faces.model.embeddingDim === null
      ? new NoActiveModel('The active face model computes no embeddings.')
      : new NoEmbedding(`The largest face of image ${index + 1} ${CANNOT_ALIGN}.`);
  }
  return { face, count: faces.items.length, model: faces.model, embedding: face.embedding };
}
