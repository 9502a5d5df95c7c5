import { cosineSimilarity } from '@sightline/core/matching/cosine-similarity';
import type { Sample } from './verification.ts';

/** The share of the pairs of people to which the tail is fitted. */
const TAIL = 0.01;

/** An exponential tail: the share of pairs with a cosine of `at` or more is `share * exp(-slope (at - from))`. */
export interface ImpostorTail {
  readonly from: number;
  /** The share of the pairs of two people that the tail contains, 0..1. */
  readonly share: number;
  readonly slope: number;
}

interface WeighedPair {
  readonly cosine: number;
  /** The weight that makes each pair of people count once, regardless of the number of their photos. */
  readonly weight: number;
}

/**
 * Fits the upper end of the cosines of different people by the method of peaks over a threshold
 * (Pickands 1975), with a generalized Pareto distribution of shape 0, which is exponential. Cosines
 * are at most 1, so the true tail is shorter. Far beyond the observed cosines the computed rates
 * are therefore too high rather than too low.
 */
export function fitImpostorTail(samples: readonly Sample[]): ImpostorTail {
  const pairs = impostorPairs(samples).sort((a, b) => b.cosine - a.cosine);
  const total = sum(pairs, ({ weight }) => weight);
  let within = 0;
  const size = pairs.findIndex(({ weight }) => (within += weight) > TAIL * total);
  const peaks = pairs.slice(0, size);
  const from = pairs[size]!.cosine;
  const weight = sum(peaks, (pair) => pair.weight);
  const meanExcess = sum(peaks, (pair) => pair.weight * (pair.cosine - from)) / weight;
  return { from, share: weight / total, slope: 1 / meanExcess };
}

/**
 * The probability that a person who is not enrolled matches at least one of many people. Each of
 * these people is enrolled with one photo, and their cosines are assumed to be independent.
 * @param cosine the least cosine of a match, at least `tail.from`
 */
export function acceptanceAmong(people: number, tail: ImpostorTail, cosine: number): number {
  const rate = tail.share * Math.exp(-tail.slope * (cosine - tail.from));
  return -Math.expm1(people * Math.log1p(-rate));
}

function impostorPairs(samples: readonly Sample[]): WeighedPair[] {
  const photos = Map.groupBy(samples, ({ person }) => person);
  const shareOf = ({ person }: Sample) => 1 / photos.get(person)!.length;
  return samples.flatMap((first, index) =>
    samples.slice(index + 1).flatMap((second) => {
      if (first.person === second.person) return [];
      const [a, b] = [first.embedding, second.embedding];
      const cosine = a === null || b === null ? -1 : cosineSimilarity(a, b);
      return [{ cosine, weight: shareOf(first) * shareOf(second) }];
    }),
  );
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
