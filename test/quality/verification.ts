import { cosineSimilarity } from '@sightline/core/matching/cosine-similarity';

/** A photo of a person. */
export interface Sample {
  readonly person: string;
  /** The L2-normalized embedding; null if no face was found. */
  readonly embedding: Float32Array | null;
}

/** The cosines of all pairs of photos, in ascending order. */
export interface PairScores {
  /** The cosines of pairs that show one person. */
  readonly genuine: Float64Array;
  /** The cosines of pairs that show two people. */
  readonly impostor: Float64Array;
}

/** A threshold of a verification with its rates. A pair matches if its similarity is at least the threshold. */
export interface OperatingPoint {
  readonly threshold: number;
  /** Share of the impostor pairs that match, 0..1. */
  readonly falseMatchRate: number;
  /** Share of the genuine pairs that match, 0..1. */
  readonly trueMatchRate: number;
}

/**
 * The similarity of a pair that cannot be compared. The pair matches at no threshold, as a rejected
 * pair does.
 */
const INCOMPARABLE = -1;

/** Compares each photo with every other one. */
export function scorePairs(samples: readonly Sample[]): PairScores {
  const genuine: number[] = [];
  const impostor: number[] = [];
  for (const [index, first] of samples.entries()) {
    for (const second of samples.slice(index + 1)) {
      (first.person === second.person ? genuine : impostor).push(compare(first, second));
    }
  }
  return {
    genuine: Float64Array.from(genuine).sort(),
    impostor: Float64Array.from(impostor).sort(),
  };
}

function compare({ embedding: a }: Sample, { embedding: b }: Sample): number {
  return a === null || b === null ? INCOMPARABLE : cosineSimilarity(a, b);
}

/** @param threshold a cosine above -1 */
export function operateAt(scores: PairScores, threshold: number): OperatingPoint {
  return {
    threshold,
    falseMatchRate: shareFrom(scores.impostor, threshold),
    trueMatchRate: shareFrom(scores.genuine, threshold),
  };
}

/**
 * Returns the least strict operating point whose false match rate is at most `rate`.
 * @param rate the rate, 0..1
 */
export function operateAtFalseMatchRate(scores: PairScores, rate: number): OperatingPoint {
  const { impostor } = scores;
  const allowed = Math.floor(rate * impostor.length);
  const refused = impostor[impostor.length - 1 - allowed] ?? INCOMPARABLE;
  return operateAt(scores, refused + Number.EPSILON);
}

/**
 * Returns the equal error rate, 0..1, at which the false match rate equals the false non-match
 * rate. It is the mean of both rates at the threshold where they are closest.
 */
export function equalErrorRate(scores: PairScores): number {
  const rates = [...scores.genuine, ...scores.impostor].map((threshold) => {
    const { falseMatchRate, trueMatchRate } = operateAt(scores, threshold);
    const falseNonMatchRate = 1 - trueMatchRate;
    return {
      apart: Math.abs(falseMatchRate - falseNonMatchRate),
      mean: (falseMatchRate + falseNonMatchRate) / 2,
    };
  });
  return rates.reduce((best, rate) => (rate.apart < best.apart ? rate : best)).mean;
}

/**
 * Returns the share of the scores that are at least the threshold; 0 if there are no scores. The
 * scores are in ascending order.
 */
function shareFrom(scores: Float64Array, threshold: number): number {
  let from = 0;
  for (let to = scores.length; from < to;) {
    const middle = (from + to) >> 1;
    if (scores[middle]! < threshold) from = middle + 1;
    else to = middle;
  }
  return scores.length === 0 ? 0 : (scores.length - from) / scores.length;
}
