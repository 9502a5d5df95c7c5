import { calibrateSimilarity } from '@sightline/core/matching/calibrate-similarity';
import { cosineSimilarity } from '@sightline/core/matching/cosine-similarity';
import type { CalibrationKnots } from '@sightline/core/models/model';
import {
  dbscanMethod,
  type GroupingScore,
  scoreGrouping,
  serviceMethod,
  whisperMethod,
} from './grouping.ts';
import { readLfwSamples } from './lfw-samples.ts';
import type { PhotoAnalyst } from './photo-analyst.ts';

const THRESHOLDS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
const NEAREST = 32;
/** The number of similar faces, itself included, that Immich requires of a core. */
const LEAST = 3;
const ROUNDS = 20;

export interface GroupFigures {
  readonly faces: number;
  readonly people: number;
  readonly points: readonly {
    readonly threshold: number;
    readonly service: GroupingScore;
    readonly dbscan: GroupingScore;
    readonly whispers: GroupingScore;
  }[];
}

/** Groups all faces of the shared LFW photos as strangers. */
export async function measureGroups(
  analyst: PhotoAnalyst,
  knots: CalibrationKnots | null,
): Promise<GroupFigures> {
  const samples = (await readLfwSamples(analyst))
    .map(({ sample }) => sample)
    .filter(({ embedding }) => embedding !== null);
  const people = samples.map(({ person }) => person);
  const vectors = samples.map(({ embedding }) => embedding!);
  const calibrate = (cosine: number) => calibrateSimilarity(cosine, knots);
  const similarityOf = (face: number, other: number) =>
    calibrate(cosineSimilarity(vectors[face]!, vectors[other]!));
  const service = serviceMethod(vectors, { nearest: NEAREST, calibrate });
  const dbscan = dbscanMethod(vectors.length, similarityOf, LEAST);
  const whispers = whisperMethod(vectors.length, similarityOf, ROUNDS);
  const points = THRESHOLDS.map((threshold) => ({
    threshold,
    service: scoreGrouping(people, service(threshold)),
    dbscan: scoreGrouping(people, dbscan(threshold)),
    whispers: scoreGrouping(people, whispers(threshold)),
  }));
  return { faces: vectors.length, people: new Set(people).size, points };
}
