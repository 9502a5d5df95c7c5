import { calibrateSimilarity } from '@sightline/core/matching/calibrate-similarity';
import type { CalibrationKnots } from '@sightline/core/models/model';
import { measureRankOne, type RankOne } from './identification.ts';
import type { LfwPhoto } from './lfw.ts';
import { readLfwSamples } from './lfw-samples.ts';
import type { PhotoAnalyst } from './photo-analyst.ts';
import {
  equalErrorRate,
  type OperatingPoint,
  operateAt,
  operateAtFalseMatchRate,
  type PairScores,
  type Sample,
  scorePairs,
} from './verification.ts';

const FALSE_MATCH_RATES = [1e-2, 1e-3];
const SIMILARITIES = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const ENROLLED = [1, 3];

export interface VerificationFigures {
  readonly photos: number;
  readonly people: number;
  readonly pairs: { readonly genuine: number; readonly impostor: number };
  readonly withoutFace: readonly LfwPhoto[];
  readonly withSeveralFaces: number;
  /**
   * The points at given false match rates. Their threshold is a cosine, and `similarity` is its
   * calibrated value.
   */
  readonly atRates: readonly (OperatingPoint & {
    readonly rate: number;
    readonly similarity: number;
  })[];
  readonly equalErrorRate: number;
  /** The points at given thresholds, which are similarities. */
  readonly atSimilarities: readonly OperatingPoint[];
  /** Whether the pack has a calibration; without one the similarity is the cosine. */
  readonly calibrated: boolean;
  /** The most similar pair of two people. */
  readonly highestImpostor: { readonly cosine: number; readonly similarity: number };
  readonly rankOne: readonly (RankOne & { readonly enrolled: number })[];
}

/** Compares all shared LFW photos with each other. */
export async function measureVerification(
  analyst: PhotoAnalyst,
  knots: CalibrationKnots | null,
): Promise<VerificationFigures> {
  const found = await readLfwSamples(analyst);
  const samples = found.map(({ sample }) => sample);
  const cosines = scorePairs(samples);
  const calibrate = (cosine: number) => calibrateSimilarity(cosine, knots);
  const highest = cosines.impostor.at(-1)!;
  return {
    photos: found.length,
    people: Map.groupBy(samples, ({ person }) => person).size,
    pairs: { genuine: cosines.genuine.length, impostor: cosines.impostor.length },
    withoutFace: found.filter(({ count }) => count === 0).map(({ photo }) => photo),
    withSeveralFaces: found.filter(({ count }) => count > 1).length,
    atRates: FALSE_MATCH_RATES.map((rate) => {
      const point = operateAtFalseMatchRate(cosines, rate);
      return { ...point, rate, similarity: calibrate(point.threshold) };
    }),
    equalErrorRate: equalErrorRate(cosines),
    atSimilarities: SIMILARITIES.map((threshold) =>
      operateAt(calibrated(cosines, calibrate), threshold),
    ),
    calibrated: knots !== null,
    highestImpostor: { cosine: highest, similarity: calibrate(highest) },
    rankOne: ENROLLED.map((enrolled) => ({
      enrolled,
      ...measureRankOne(withSeveralPhotos(samples), enrolled),
    })),
  };
}

function calibrated(
  { genuine, impostor }: PairScores,
  calibrate: (cosine: number) => number,
): PairScores {
  return { genuine: genuine.map(calibrate), impostor: impostor.map(calibrate) };
}

function withSeveralPhotos(samples: readonly Sample[]): Sample[] {
  return [...Map.groupBy(samples, ({ person }) => person).values()]
    .filter((own) => own.length > 1)
    .flat();
}
