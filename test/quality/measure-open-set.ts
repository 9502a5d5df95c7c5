import { calibrateSimilarity } from '@sightline/core/matching/calibrate-similarity';
import type { CalibrationKnots } from '@sightline/core/models/model';
import { acceptanceAmong, fitImpostorTail } from './impostor-tail.ts';
import { readLfwSamples } from './lfw-samples.ts';
import { measureOpenSet, type OpenSetPoint } from './open-set.ts';
import type { PhotoAnalyst } from './photo-analyst.ts';

const THRESHOLDS = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const ENROLLED = [10, 30, 60];
const EXTRAPOLATED = [100, 1_000, 10_000];
const DRAWS = 200;

export interface OpenSetFigures {
  readonly people: number;
  readonly draws: number;
  readonly measured: readonly {
    readonly enrolled: number;
    readonly points: readonly OpenSetPoint[];
  }[];
  /** The share of strangers, 0..1, that would be accepted at each of the thresholds. */
  readonly extrapolated: readonly {
    readonly enrolled: number;
    readonly accepted: readonly { readonly threshold: number; readonly share: number }[];
  }[];
}

/** Enrolls some of the people of the shared LFW photos, and treats all others as strangers. */
export async function measureOpenSets(
  analyst: PhotoAnalyst,
  knots: CalibrationKnots | null,
): Promise<OpenSetFigures> {
  const samples = (await readLfwSamples(analyst)).map(({ sample }) => sample);
  const calibrate = (cosine: number) => calibrateSimilarity(cosine, knots);
  const tail = fitImpostorTail(samples);
  return {
    people: new Set(samples.map(({ person }) => person)).size,
    draws: DRAWS,
    measured: ENROLLED.map((enrolled) => ({
      enrolled,
      points: measureOpenSet(samples, {
        enrolled,
        draws: DRAWS,
        thresholds: THRESHOLDS,
        calibrate,
      }),
    })),
    extrapolated: EXTRAPOLATED.map((enrolled) => ({
      enrolled,
      accepted: THRESHOLDS.map((threshold) => ({
        threshold,
        share: acceptanceAmong(enrolled, tail, cosineAt(threshold, knots)),
      })),
    })),
  };
}

/** Returns the cosine that the calibration maps to this similarity. */
function cosineAt(similarity: number, knots: CalibrationKnots | null): number {
  const inverse = knots?.map(([cosine, at]) => [at, cosine] as const) ?? null;
  return calibrateSimilarity(similarity, inverse);
}
